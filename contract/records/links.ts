import * as z from 'zod/mini';
import { boundedText, idText } from '../schema.ts';

/** Bounds of share links. Text lengths count code points. */
export const LINK_LIMITS = {
  name: 80,
  watermark: 80,
  code: 40,
  /** How far ahead a link may end. */
  days: 30,
  /** Links of one role that work at the same time. */
  livePerRole: 20,
  tapes: 200,
  /** Openings that the record of a link shows. */
  openings: 20,
  /** How much watching one report may tell of, in seconds. */
  reportSeconds: 60,
} as const;

/** The header by which a page that has opened a link says so: the server's `session`. */
export const WATCH_SESSION_HEADER = 'x-watch-session';

const digest = (error: string) =>
  z.string({ error }).check(z.regex(/^[\da-f]{64}$/, { error: 'Send a SHA-256 in lower-case hexadecimal' }));

/** The random part of an address, which the server never stores: 128 bits in lower-case hexadecimal. */
const token = z.string({ error: 'Send the token' }).check(z.regex(/^[\da-f]{32}$/, { error: 'Send the token' }));

const tapeIds = z.nullable(
  z
    .array(idText, { error: 'Send a list of ids' })
    .check(
      z.minLength(1, { error: 'Choose at least one tape' }),
      z.maxLength(LINK_LIMITS.tapes, { error: `Choose up to ${LINK_LIMITS.tapes} tapes` }),
    ),
);
const name = boundedText(LINK_LIMITS.name, { missing: 'Say whom it is for' });
const moment = z.pipe(
  z.iso.datetime({ offset: true, error: 'Send a date and time' }),
  z.transform((value) => new Date(value).toISOString()),
);

/** Shows tapes of a role to whoever has the link. */
export const createLinkBody = z.object({
  role_id: idText,
  /** Part of the address of the link, so that the address is known before the link has been sent. */
  client_id: z.uuid({ error: 'Send a UUID' }),
  /** What the owner calls it. Link holders do not see it. */
  name,
  /** The tapes that it shows; null: all that have arrived, also later ones. */
  tape_ids: z._default(tapeIds, null),
  expires_at: moment,
  /** SHA-256 of the token, hexadecimal. */
  token_hash: digest('Send the SHA-256 of the token'),
  /** SHA-256 of the token with the code, see `toCodeText`; null: there is no code. */
  code_hash: z._default(z.nullable(digest('Send the SHA-256 of the code')), null),
  /** Drawn over the picture. */
  watermark: boundedText(LINK_LIMITS.watermark, { missing: 'Say what runs over the picture' }),
});

/** Changes a link. What is absent stays. */
export const updateLinkBody = z.object({
  name: z.optional(name),
  tape_ids: z.optional(tapeIds),
  expires_at: z.optional(moment),
});

/** A share link as its owner sees it. No performer and no link holder ever does. */
export const linkRecord = z.object({
  id: z.string(),
  client_id: z.string(),
  role_id: z.string(),
  name: z.string(),
  tape_ids: z.nullable(z.array(z.string())),
  expires_at: z.string(),
  /** As the owner's device sent it, by which that device knows whether it still has the token. */
  token_hash: z.string(),
  has_code: z.boolean(),
  watermark: z.string(),
  /** How often it was opened. */
  opened: z.int(),
  /** The newest of these openings, newest first, and how long somebody watched. */
  openings: z.array(z.object({ at: z.string(), seconds: z.number() })),
  /** Closed for a while after too many wrong codes. */
  closed_until: z.nullable(z.string()),
  revoked_at: z.nullable(z.string()),
  /** Null while it is not revoked. */
  revoked_by: z.nullable(z.literal(['owner', 'wrong codes', 'restore'])),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ShareLink = z.infer<typeof linkRecord>;

/** What is hashed to prove that somebody knows the code of a link. */
export const toCodeText = (ofLink: string, code: string): string =>
  `${ofLink} ${code.normalize('NFKC').trim().toLowerCase()}`;

export const openLinkBody = z.object({
  token,
  code: z.optional(z.nullable(z.string().check(z.maxLength(LINK_LIMITS.code, { error: 'This code is too long' })))),
});

/** What a link shows: who taped, and the takes. Nothing else of the people or the project leaves by it, but who made the link. */
const watched = {
  project: z.string(),
  role: z.string(),
  /** The owner of the link. */
  shared_by: z.string(),
  watermark: z.string(),
  /** When the link ends. */
  expires_at: z.string(),
  tapes: z.array(
    z.object({
      name: z.string(),
      takes: z.array(
        z.object({
          id: z.string(),
          label: z.nullable(z.string()),
          /** Seconds. */
          duration: z.nullable(z.number()),
          width: z.nullable(z.int()),
          height: z.nullable(z.int()),
          url: z.string(),
          poster_url: z.nullable(z.string()),
          /** Six of its frames side by side. */
          strip_url: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  /** Until when the addresses of the takes work. Reading the link again gives new ones. */
  urls_expire_at: z.string(),
};
export const watchedLink = z.object(watched);
export type WatchedLink = z.infer<typeof watchedLink>;

export const openedLink = z.object({
  ...watched,
  /** Proves in the header `X-Watch-Session` for some hours that this page has opened the link. */
  session: z.string(),
});
export type OpenedLink = z.infer<typeof openedLink>;

/** That a take was played in view. */
export const watchedTakeBody = z.object({
  take_id: z.string({ error: 'Say which take' }).check(z.maxLength(64, { error: 'Say which take' })),
  seconds: z.number({ error: 'Send a number' }).check(z.minimum(0), z.maximum(LINK_LIMITS.reportSeconds)),
});
