import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { MEDIA_KINDS, type MediaKind } from '../media-kinds.ts';
import { fieldSchema, idText } from '../schema.ts';
import type { LookupName } from '../section.ts';

export const mediaRecord = z.object({
  id: z.string(),
  profile_id: z.string(),
  media_type: z.string(),
  /** Where the file lies in the store; `path` is the address to fetch it from. */
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
  /** Address of a small copy every browser reads, for lists. */
  thumb_path: z.nullable(z.string()),
  /** Smaller copies, narrowest first, with the address of each; `width` in pixels. */
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

/** What a list needs of somebody's medium. In GET /sync a `saved_media` is this, under the medium's own id. */
export const mediaCard = z.object({
  ...mediaRecord.shape,
  owner: z.object({
    user_id: z.string(),
    name: z.string(),
    /** With `profile_type` the address of their page; null where it is not active. */
    slug: z.nullable(z.string()),
    profile_type: z.nullable(z.string()),
  }),
  saved_at: z.optional(z.string()),
});
export type MediaCard = z.infer<typeof mediaCard>;

/** What the gallery page says of files before it sends them. */
export const validateMediaBody = z.object({
  files: z
    .array(
      z.object({
        name: z.string({ error: 'Send the name' }).check(z.maxLength(1000, { error: 'Use a shorter name' })),
        /** Bytes. */
        size: z.int({ error: 'Send the size in bytes' }).check(z.minimum(0, { error: 'Send the size in bytes' })),
        /** As the device calls it; '' where it knows none. */
        type: z.string({ error: 'Send the type' }),
      }),
      { error: 'Send a list of files' },
    )
    .check(z.maxLength(100, { error: 'Send at most 100 files' })),
});
/** `errors` by 'File 1', counted as they were sent. */
export const validationResponse = z.object({
  status: z.literal(['success', 'error']),
  message: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
});
export const galleryResponse = z.object({ status: z.literal('success'), files: z.array(mediaRecord) });

/** An address of a medium's file that opens without a token until it ends. */
export const mediaLink = z.object({ url: z.string(), expires_at: z.string() });

export const lookupItem = z.object({ id: z.string(), name: z.string() });
export type LookupItem = z.infer<typeof lookupItem>;

/** Lookup lists of the portfolio's forms. An id is a place in its list, counted from 1, so new names go to the end. */
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

/** Numbers a form sends as text. */
const seconds = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,6}(\.\d{1,6})?$/))], { error: 'Send seconds' }),
  z.pipe(z.transform(Number), z.number().check(z.minimum(0), z.maximum(86_400, { error: 'Send seconds' }))),
);

/**
 * What a form of this kind sends beside its files; ids are looked up, `keywords` are comma-separated. What only a device
 * that can play the file knows may come along: `duration`, `peaks` of its sound and a `poster` of its pictures.
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
    /** Loudness from 0 to 1, from beginning to end. */
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
 * What a change of a medium may send: some of its fields and how it lies among the others. A field left out stays, null
 * empties it. A field that several kinds have is the same in each; those another kind has are not looked at.
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
    /** Counts upwards; null: where it lies by its age. */
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
