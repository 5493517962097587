import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { mediaLink } from '#contract/records/media.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { ok } from '#server/platform/http/response.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { type FileLink, findOwnMedia } from './access.ts';

const HOUR_S = 60 * 60;

/** Query parameters of a signed link; `expires` is in seconds since the epoch, `reader` the id of a person whose right it depends on. */
export const linkQuery = z.object({
  expires: z.optional(z.string()),
  reader: z.optional(z.string()),
  signature: z.optional(z.string()),
});

/** When a link that is made now expires, in seconds since the epoch. */
export const getLinkExpiry = (now: Date): number => Math.floor(now.getTime() / 1000) + HOUR_S;

/**
 * Makes a link by which anyone who has it can fetch this file until it expires.
 * @param reader a person; the link also ends when they may no longer read the file
 */
export async function createLink(db: Db, key: string, expires: number, reader?: number): Promise<string> {
  const signature = (await sign(db, toSignedText(key, expires, reader ?? null))).toString('base64url');
  const forReader = reader === undefined ? '' : `&reader=${reader}`;
  return `${storagePath(key)}?expires=${expires}${forReader}&signature=${signature}`;
}

/** Makes the query parameters that `isVouchedFor` accepts until they expire. @param what what they are good for */
export async function signQuery(db: Db, what: string, expires: number): Promise<string> {
  const signature = (await sign(db, toSignedText(what, expires, null))).toString('base64url');
  return `expires=${expires}&signature=${signature}`;
}

const toSignedText = (what: string, expires: number, reader: number | null): string =>
  `${what} ${expires}${reader === null ? '' : ` ${reader}`}`;

const sign = async (db: Db, text: string): Promise<Buffer> =>
  createHmac('sha256', await getSigningSecret(db))
    .update(text)
    .digest();

/** The valid, unexpired link to this file that a request carries, issued to somebody who may fetch it; null if there is none. */
export async function readLink(
  db: Db,
  key: string,
  { expires = '', reader, signature = '' }: z.output<typeof linkQuery>,
  now: Date,
): Promise<FileLink | null> {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return null;
  if (reader !== undefined && !/^\d{1,15}$/.test(reader)) return null;
  const readerId = reader === undefined ? null : Number(reader);
  const right = await sign(db, toSignedText(key, Number(expires), readerId));
  const sent = Buffer.from(signature, 'base64url');
  return sent.length === right.length && timingSafeEqual(sent, right) ? { readerId } : null;
}

/** Whether a request carries valid, unexpired query parameters that were signed for this. */
export const isVouchedFor = async (
  db: Db,
  what: string,
  query: z.output<typeof linkQuery>,
  now: Date,
): Promise<boolean> => (await readLink(db, what, query, now)) !== null;

/** Signed links that open an owner's private file where no token can be sent: in a player or a new tab. */
export function linkRoute(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.mediaLink,
    summary: 'A link to the file that works for an hour, for anyone who has it',
    access: requiredAccount(findOwnMedia),
    params: z.object({ id: z.string() }),
    responses: { 200: mediaLink },
    handler: async ({ db, subject: { fileKey }, now }) => {
      if (fileKey === null) throw notFound('file');
      const expires = getLinkExpiry(now);
      return ok({
        url: await createLink(db, fileKey, expires),
        expires_at: new Date(expires * 1000).toISOString(),
      });
    },
  });
}
