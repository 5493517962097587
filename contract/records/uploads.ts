import * as z from 'zod/mini';
import { DIRECT_UPLOADS } from '../direct-uploads.ts';

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Send a SHA-256 in lower-case hex'));
const size = z.int().check(z.positive());
const number = z.int().check(z.gte(1), z.lte(DIRECT_UPLOADS.maxParts));

/** A part as the device announces it. `n` counts from 1. */
const announcedPart = z.object({ n: number, size, sha256: digest });
export type AnnouncedPart = z.infer<typeof announcedPart>;

/** POST /uploads/:id/parts: begins an upload to the bucket or goes on with it, and asks for the addresses of some parts. */
export const partsBody = z.object({
  kind: z.literal('video', 'Only videos can be sent to the storage directly'),
  size,
  sha256: digest,
  parts: z.array(announcedPart).check(z.minLength(1), z.maxLength(DIRECT_UPLOADS.maxParts)),
  want: z.array(number).check(z.maxLength(DIRECT_UPLOADS.addressesPerCall)),
});
export type PartsBody = z.infer<typeof partsBody>;

const uploadState = z.enum(['open', 'checking', 'ready', 'refused']);
const storedPart = z.object({ n: z.int(), size: z.int() });

export const partsResponse = z.object({
  state: uploadState,
  part_bytes: z.int(),
  /** The parts that the bucket has, whole and right. */
  done: z.array(storedPart),
  /** Where to PUT each part, and with which headers. */
  urls: z.array(z.object({ n: z.int(), url: z.string(), headers: z.record(z.string(), z.string()) })),
  /** When the addresses stop working. */
  expires_at: z.iso.datetime(),
});
export type PartsResponse = z.infer<typeof partsResponse>;

export const completeResponse = z.object({ message: z.string(), state: uploadState });

/** GET /uploads/:id. `offset`: bytes that have arrived. */
export const uploadStateResponse = z.object({
  state: uploadState,
  size: z.int(),
  offset: z.int(),
  /** Of an upload to the bucket: the parts that it has. */
  done: z.optional(z.array(storedPart)),
  /** Why the file was refused. */
  reason: z.nullable(z.string()),
});
