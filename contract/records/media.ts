import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { MEDIA_KINDS, type MediaKind } from '../media-kinds.ts';
import { fieldSchema, idText } from '../schema.ts';
import type { LookupName } from '../section.ts';

export const mediaRecord = z.object({
  id: z.string(),
  profile_id: z.string(),
  media_type: z.string(),
  /** Key of the file in the file storage; `path` is the URL to fetch it from. */
  file_path: z.nullable(z.string()),
  path: z.string(),
  name: z.string(),
  format: z.nullable(z.string()),
  /** Bytes. */
  size: z.nullable(z.int()),
  /** Seconds. */
  duration: z.nullable(z.number()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** URL of a thumbnail in a format that every browser supports. */
  thumb_path: z.nullable(z.string()),
  /** Smaller copies, narrowest first, each with its URL; `width` is in pixels. */
  renditions: z.array(z.object({ path: z.string(), width: z.int(), type: z.string() })),
  peaks: z.nullable(z.array(z.number())),
  position: z.nullable(z.int()),
  is_hidden: z.boolean(),
  is_primary: z.boolean(),
  version: z.int(),
  client_id: z.nullable(z.string()),
  is_saved: z.literal([0, 1]),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  created_at: z.string(),
});
export type Media = z.infer<typeof mediaRecord>;

/** A media record with its owner, for lists. GET /sync sends it as `saved_media`, under the id of the media record. */
export const mediaCard = z.object({
  ...mediaRecord.shape,
  owner: z.object({
    user_id: z.string(),
    name: z.string(),
    /** Forms the URL of their page together with `profile_type`; null when the profile is not active. */
    slug: z.nullable(z.string()),
    profile_type: z.nullable(z.string()),
  }),
  saved_at: z.optional(z.string()),
});
export type MediaCard = z.infer<typeof mediaCard>;

/** Describes files that the gallery page is about to send. */
export const validateMediaBody = z.object({
  files: z
    .array(
      z.object({
        name: z.string({ error: 'Send the name' }).check(z.maxLength(1000, { error: 'Use a shorter name' })),
        /** Bytes. */
        size: z.int({ error: 'Send the size in bytes' }).check(z.minimum(0, { error: 'Send the size in bytes' })),
        /** MIME type according to the device; '' when unknown. */
        type: z.string({ error: 'Send the type' }),
      }),
      { error: 'Send a list of files' },
    )
    .check(z.maxLength(100, { error: 'Send at most 100 files' })),
});
/** `errors` has the keys 'File 1', 'File 2' …, in the order sent. */
export const validationResponse = z.object({
  status: z.literal(['success', 'error']),
  message: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});
export const galleryResponse = z.object({ status: z.literal('success'), files: z.array(mediaRecord) });

/** A URL of a media file that works without a token until `expires_at`. */
export const mediaLink = z.object({ url: z.string(), expires_at: z.string() });

export const lookupItem = z.object({ id: z.string(), name: z.string() });
export type LookupItem = z.infer<typeof lookupItem>;

/** Lookup lists of the media forms. An id is the 1-based position in its list, so append new names at the end. */
export const MEDIA_LOOKUPS = {
  project_types: ['Theatre', 'Movie', 'TV', 'Video', 'Cinema', 'Advertisement', 'Photo shoot', 'Other'],
  language_accents: [
    'Neutral',
    'Indian English',
    'British, received',
    'British, northern',
    'Scottish',
    'Irish',
    'American, general',
    'American, southern',
    'Australian',
    'South African',
    'Bengali',
    'Gujarati',
    'Hyderabadi',
    'Malayali',
    'Marathi',
    'Punjabi',
    'Tamil',
    'Telugu',
    'Other',
  ],
  voice_genders: ['Female', 'Male', 'Non-binary', 'Girl', 'Boy'],
  voice_types: [
    'Narration',
    'Commercial',
    'Character',
    'Animation',
    'Dubbing',
    'Audiobook',
    'Documentary',
    'Game',
    'E-learning',
    'Announcement',
    'Radio play',
    'Singing',
  ],
} as const satisfies Partial<Record<LookupName, readonly string[]>>;

/** A number of seconds; multipart forms send it as text. */
const seconds = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/))], { error: 'Send seconds' }),
  z.pipe(z.transform(Number), z.number().check(z.minimum(0), z.maximum(86_400, { error: 'Send seconds' }))),
);

/**
 * Builds the schema of a submission of this kind, besides its files. Lookup fields are ids; `keywords` are comma-separated.
 * Devices that can play the file may add what the server cannot compute: `duration`, audio `peaks` and a video `poster`.
 * @param currentYear the caller's clock
 */
export function submissionSchema(kind: MediaKind, currentYear: () => number) {
  const fields = Object.entries(kind.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)] as const);
  return z.object({
    ...(Object.fromEntries(fields) as Record<string, z.ZodMiniType<string | null | undefined>>),
    profile_id: z.string().check(z.minLength(1, { error: 'Choose the profile it belongs to' }), z.maxLength(64)),
    media_type: z.literal([kind.key]),
    client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
    upload_ids: z.optional(
      z
        .array(z.uuid({ error: 'Send a UUID' }))
        .check(z.maxLength(kind.maxFiles, { error: `Send at most ${kind.maxFiles} ${kind.plural}` })),
    ),
    youtube_url: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
    duration: z.optional(z.nullable(seconds)),
    /** Waveform peaks, normalized to 0–1. */
    peaks: z.optional(
      z.nullable(z.array(z.number().check(z.minimum(0), z.maximum(1))).check(z.maxLength(LIMITS.waveformPeaks))),
    ),
    /** A JPEG as base64. */
    poster: z.optional(
      z.nullable(z.base64({ error: 'Send a JPEG as base64' }).check(z.maxLength(LIMITS.posterBase64Chars))),
    ),
  });
}

/**
 * Builds the schema of a media update: some of its fields and its placement in the portfolio. An omitted field keeps its value;
 * null clears it. A field that several kinds share has the same definition in each. The server ignores fields that the
 * record's kind does not have.
 * @param currentYear the caller's clock
 */
export function mediaPatchSchema(currentYear: () => number) {
  const fields = MEDIA_KINDS.flatMap((kind) => Object.entries(kind.fields)).map(
    ([key, field]) => [key, z.optional(fieldSchema(field, currentYear))] as const,
  );
  const optionalBoolean = z.optional(z.boolean({ error: 'Send true or false' }));
  return z.object({
    ...(Object.fromEntries(fields) as Record<string, z.ZodMiniType<string | null | undefined>>),
    profile_id: z.optional(idText),
    /** Ascending; null: ordered by age. */
    position: z.optional(
      z.nullable(
        z
          .int({ error: 'Send a whole number' })
          .check(z.minimum(0), z.maximum(LIMITS.mediaPosition, { error: 'Send less' })),
      ),
    ),
    is_hidden: optionalBoolean,
    is_primary: optionalBoolean,
  });
}
