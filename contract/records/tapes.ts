import * as z from 'zod/mini';
import { TAKE_STRIP_BASE64_CHARS } from '../casting/take-strip.ts';
import { LIMITS } from '../limits.ts';
import { boundedText, idText } from '../schema.ts';

/** Bounds of tapes. Text lengths count code points. */
export const TAPE_LIMITS = {
  takes: 5,
  takeName: 160,
  takeLabel: 40,
  cvName: 160,
  cvPages: 20,
  note: 1000,
  /** How often a tape can be replaced by a newer one. */
  versions: 20,
  markText: 2000,
  seconds: 24 * 3600,
} as const;

const clientId = z.uuid({ error: 'Send a UUID' });
const emptyToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);
const optionalText = (max: number) => z.optional(z.pipe(z.transform(emptyToNull), z.nullable(boundedText(max))));
const pixels = z.optional(z.nullable(z.int({ error: 'Send a whole number' }).check(z.minimum(1), z.maximum(20_000))));

const take = z.object({
  /** The upload that has its bytes, or will have them. */
  upload_id: clientId,
  name: boundedText(TAPE_LIMITS.takeName, { missing: 'Name the take' }),
  /** 'Take 2', 'Slate' */
  label: optionalText(TAPE_LIMITS.takeLabel),
  /** Seconds. */
  duration: z.optional(
    z.nullable(z.number({ error: 'Send a number' }).check(z.minimum(0), z.maximum(TAPE_LIMITS.seconds))),
  ),
  width: pixels,
  height: pixels,
  /** Bytes. */
  size: z.int({ error: 'Send a whole number' }).check(z.minimum(1)),
  /** A small JPEG of it as base64, which the other side sees while the bytes are on their way. */
  poster: z.optional(
    z.nullable(
      z
        .base64({ error: 'Send a JPEG as base64' })
        .check(z.maxLength(LIMITS.takePosterBase64Chars, { error: 'Send a JPEG of at most 60 kB' })),
    ),
  ),
  /** A JPEG of six of its frames side by side, as base64. Devices that cannot make one send none. */
  strip: z.optional(
    z.nullable(
      z
        .base64({ error: 'Send a JPEG as base64' })
        .check(z.maxLength(TAKE_STRIP_BASE64_CHARS, { error: 'Send a JPEG of at most 40 kB' })),
    ),
  ),
});

const takes = z.array(take, { error: 'Send a list of takes' }).check(
  z.minLength(1, { error: 'Add at least one take' }),
  z.maxLength(TAPE_LIMITS.takes, { error: `Send ${TAPE_LIMITS.takes} takes or fewer` }),
  z.refine((list) => new Set(list.map(({ upload_id }) => upload_id)).size === list.length, {
    error: 'Send each take once',
  }),
);

/** The CV that goes with a tape. */
const cv = z.object({
  /** The upload that has the bytes of the PDF, or will have them. */
  upload_id: clientId,
  name: boundedText(TAPE_LIMITS.cvName, { missing: 'Name the CV' }),
  /** Bytes. */
  size: z.int({ error: 'Send a whole number' }).check(z.minimum(1)),
});

/**
 * Says that a tape is finished, before its bytes have arrived. The request header `X-Device-Time`, milliseconds since 1970 by the device's clock when
 * it is sent, lets the server tell how far that clock is off.
 */
export const announceBody = z
  .object({
    request_id: idText,
    client_id: z.optional(clientId),
    takes,
    cv: z.optional(z.nullable(cv)),
    note: optionalText(TAPE_LIMITS.note),
    /** The performer does not want it shown to others by a link. */
    no_links: z._default(z.boolean({ error: 'Use true or false' }), false),
    /** When the last take lay safely on the device, by its clock. */
    finished_device: z.iso.datetime({ offset: true, error: 'Send a date and time' }),
    /** How far the device's clock was behind the server's when it last heard from it, ms. Null: never. */
    clock_offset: z.optional(z.nullable(z.int({ error: 'Send a whole number' }))),
    /** How long before `finished_device` that was, ms. */
    clock_age: z.optional(z.nullable(z.int({ error: 'Send a whole number' }).check(z.minimum(0)))),
  })
  .check(
    z.refine(({ takes: videos, cv: pdf }) => !videos.some(({ upload_id }) => upload_id === pdf?.upload_id), {
      path: ['cv'],
      error: 'A take cannot be the CV',
    }),
  );
export type AnnounceBody = z.output<typeof announceBody>;

/** Says that every byte of a tape was uploaded. The uploads are those of its takes and its CV, in any order. */
export const arriveBody = z.object({
  upload_ids: z
    .array(clientId, { error: 'Send a list of uploads' })
    .check(z.minLength(1, { error: 'Send a list of uploads' }), z.maxLength(TAPE_LIMITS.takes + 1)),
});

/** That a tape was played in view: repeats add seconds and change nothing that the performer sees. */
export const viewedBody = z.object({
  seconds: z.number({ error: 'Send a number' }).check(z.minimum(0), z.maximum(TAPE_LIMITS.seconds)),
});

export const GRADES = ['A', 'B', 'C'] as const;
export type Grade = (typeof GRADES)[number];
/** The sender's own grade and note. What is absent stays. */
export const markBody = z.object({
  grade: z.optional(z.nullable(z.literal(GRADES, { error: 'Use A, B or C' }))),
  text: optionalText(TAPE_LIMITS.markText),
});

export const TAPE_STATES = ['announced', 'arrived', 'refused', 'replaced'] as const;

/** What a performer sent for one request. Both sides see it. */
export const tapeRecord = z.object({
  id: z.string(),
  request_id: z.string(),
  /** Present for the performer only. */
  client_id: z.nullable(z.string()),
  /** 1 for the first tape of a request; a later one replaces those before as soon as it has arrived. */
  number: z.int(),
  takes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      label: z.nullable(z.string()),
      duration: z.nullable(z.number()),
      width: z.nullable(z.int()),
      height: z.nullable(z.int()),
      size: z.int(),
      /** Where the video is; null until it has arrived. */
      path: z.nullable(z.string()),
      /** Where a small picture of it is, which comes with the announcement; null if the device sent none. */
      poster_path: z.nullable(z.string()),
      /** Where six of its frames are, side by side in one picture; null if the device sent none. */
      strip_path: z.nullable(z.string()),
    }),
  ),
  /** The PDF that came with it; null if none did. Absent in what older versions of the app stored. */
  cv: z.optional(
    z.nullable(
      z.object({
        name: z.string(),
        /** Null until it has arrived. */
        pages: z.nullable(z.int()),
        size: z.int(),
        /** Where it is; null until it has arrived, and again after a newer tape has. */
        path: z.nullable(z.string()),
      }),
    ),
  ),
  note: z.nullable(z.string()),
  /** The performer does not want it shown to others by a link. It never is. */
  no_links: z.boolean(),
  /** When the whole tape lay safely on the performer's device. This counts against the deadline. */
  finished_at: z.string(),
  /** Whether the server could check that time, or has only the device's word. */
  finished_by: z.literal(['checked', 'phone clock']),
  announced_at: z.string(),
  arrived_at: z.nullable(z.string()),
  state: z.literal(TAPE_STATES),
  /** Why it was refused. */
  reason: z.nullable(z.string()),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Tape = z.infer<typeof tapeRecord>;

/** Links to the takes that have arrived, each of which works until `expires_at` for anyone who has it. */
export const tapeLinks = z.object({
  takes: z.array(z.object({ id: z.string(), url: z.string() })),
  expires_at: z.string(),
});
export type TapeLinks = z.infer<typeof tapeLinks>;

/** What the side that casts thinks of a tape. No performer ever sees it, or that it is there. */
export const markRecord = z.object({
  id: z.string(),
  tape_id: z.string(),
  request_id: z.string(),
  /** Null: a former colleague. Absent in what older versions of the app stored: the owner. */
  author_id: z.optional(z.nullable(z.string())),
  grade: z.nullable(z.literal(GRADES)),
  text: z.nullable(z.string()),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Mark = z.infer<typeof markRecord>;
