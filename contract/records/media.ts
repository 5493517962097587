import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { boundedText } from '../schema.ts';

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

export const lookupItem = z.object({ id: z.string(), name: z.string() });
export type LookupItem = z.infer<typeof lookupItem>;

/** Lookup list of project types, by the names the spec's credits use. */
export const PROJECT_TYPES = [
  'Theatre',
  'Movie',
  'TV',
  'Video',
  'Cinema',
  'Advertisement',
  'Photo shoot',
  'Other',
] as const;

/** What a photo's form sends beside its file; ids are looked up, `keywords` are comma-separated. */
export const photoFields = z.object({
  profile_id: z.string().check(z.minLength(1, { error: 'Say which profile it belongs to' }), z.maxLength(64)),
  media_type: z.literal(['image'], { error: 'Send photos as image' }),
  name: boundedText(150, { missing: 'Name it' }),
  keywords: z.optional(z.nullable(boundedText(500))),
  project_type: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  category_type: z.optional(z.nullable(boundedText(100))),
  client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
  upload_ids: z.optional(
    z
      .array(z.uuid({ error: 'Send a UUID' }))
      .check(z.maxLength(LIMITS.photosPerPick, { error: `Send at most ${LIMITS.photosPerPick} photos` })),
  ),
});
export type PhotoFields = z.infer<typeof photoFields>;
