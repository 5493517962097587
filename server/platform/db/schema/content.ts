import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AnnouncedPart, PartsResponse } from '#contract/records/uploads.ts';
import { auditionRequests, castingSides } from './casting.ts';
import { conversations } from './chat.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { profileReference, profiles, userReference, users } from './people.ts';

/** What the check of a file found. Width and height are null if its container does not contain them. */
export interface FileFacts {
  extension: string;
  type: string;
  durationSeconds: number | null;
  width: number | null;
  height: number | null;
}

/** Rows of every section. The section's definition in the contract determines the body. */
export const sectionRows = pgTable(
  'section_rows',
  {
    id: identity(),
    userId: userReference(),
    profileId: profileReference(),
    section: text('section').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('section_rows_client_id').on(table.userId, table.section, table.clientId),
    index('section_rows_of_profile').on(table.profileId, table.section, table.id),
  ],
);

/** One version for all rows of a set in a profile. It outlives the rows, so that an emptied set does not restart at version 1. */
export const sectionSets = pgTable(
  'section_sets',
  {
    profileId: profileReference(),
    section: text('section').notNull(),
    version: integer('version').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.profileId, table.section] })],
);

/** Unfinished uploads (tus). The client creates the id. The row is deleted when the upload is attached to a record. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    userId: userReference(),
    lengthBytes: reference('length_bytes').notNull(),
    /** Bytes stored durably. A part is accepted only if it starts at this offset. */
    offsetBytes: reference('offset_bytes').notNull().default(0),
    parts: integer('parts').notNull().default(0),
    /** SHA-256 of the whole file, hexadecimal; null until it is complete. */
    sha256: text('sha256'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [index('uploads_by_age').on(table.updatedAt), index('uploads_by_user').on(table.userId)],
);

/** Each part is a file in the store. Ordered by start, the parts form the upload. */
export const uploadParts = pgTable(
  'upload_parts',
  {
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    startBytes: reference('start_bytes').notNull(),
    sizeBytes: reference('size_bytes').notNull(),
    key: text('key').notNull().unique(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.startBytes] })],
);

/**
 * Files that devices send to the bucket themselves. The client creates the id. The row is deleted when the file is attached to a record.
 * Nothing serves what `quarantineName` names; `fileKey` is the file that was checked.
 */
export const directUploads = pgTable(
  'direct_uploads',
  {
    id: uuid('id').primaryKey(),
    userId: userReference(),
    sizeBytes: reference('size_bytes').notNull(),
    /** SHA-256 of the whole file as the device computed it, hexadecimal. */
    sha256: text('sha256').notNull(),
    parts: jsonb('parts').$type<AnnouncedPart[]>().notNull(),
    quarantineName: text('quarantine_name').notNull().unique(),
    /** The bucket's id of the multipart upload; null until it has begun. */
    bucketUploadId: text('bucket_upload_id'),
    state: text('state').$type<PartsResponse['state']>().notNull().default('open'),
    /** Why the file was refused. */
    reason: text('reason'),
    fileKey: text('file_key').unique(),
    /** What the check found out about the file. */
    facts: jsonb('facts').$type<FileFacts>(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [index('direct_uploads_by_age').on(table.updatedAt), index('direct_uploads_by_user').on(table.userId)],
);

/** Served files and their owners. The sweep removes files from the store that neither this table nor one of the uploads names. */
export const storedFiles = pgTable(
  'stored_files',
  {
    key: text('key').primaryKey(),
    userId: userReference(),
    /** What the file belongs to determines who may see it: a profile, conversation or request to audition, or the pages to read that requests name. */
    profileId: reference('profile_id').references(() => profiles.id, { onDelete: 'cascade' }),
    conversationId: reference('conversation_id').references(() => conversations.id, { onDelete: 'cascade' }),
    requestId: reference('request_id').references(() => auditionRequests.id, { onDelete: 'cascade' }),
    sidesId: reference('sides_id').references(() => castingSides.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    sizeBytes: reference('size_bytes').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('stored_files_of_profile').on(table.profileId),
    index('stored_files_of_conversation').on(table.conversationId),
    index('stored_files_of_request').on(table.requestId),
    index('stored_files_of_sides').on(table.sidesId),
    index('stored_files_of_user').on(table.userId),
    check(
      'stored_files_of_one',
      sql`num_nonnulls(${table.profileId}, ${table.conversationId}, ${table.requestId}, ${table.sidesId}) = 1`,
    ),
  ],
);

export const media = pgTable(
  'media',
  {
    id: identity(),
    userId: userReference(),
    profileId: profileReference(),
    mediaType: text('media_type').notNull(),
    fileKey: text('file_key').unique(),
    thumbKey: text('thumb_key'),
    renditions: jsonb('renditions').$type<{ key: string; width: number; type: string }[]>().notNull().default([]),
    name: text('name').notNull(),
    format: text('format'),
    sizeBytes: reference('size_bytes'),
    sha256: text('sha256'),
    durationSeconds: doublePrecision('duration_seconds'),
    width: integer('width'),
    height: integer('height'),
    /** Waveform peaks, normalized to 0–1; present when the uploading device could decode the recording. */
    peaks: jsonb('peaks').$type<number[]>(),
    /** Id of a video hosted on YouTube. */
    youtubeId: text('youtube_id'),
    metadata: jsonb('metadata').$type<{ key: string; value: string }[]>().notNull().default([]),
    position: integer('position'),
    isHidden: boolean('is_hidden').notNull().default(false),
    isPrimary: boolean('is_primary').notNull().default(false),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    /** Index of the file in its submission, from 0. The files of a submission share its client_id. */
    clientPart: smallint('client_part').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('media_client_id').on(table.userId, table.clientId, table.clientPart),
    index('media_of_profile').on(table.profileId, table.mediaType, table.id),
  ],
);

/** Media that users saved, their own or others'. */
export const savedMedia = pgTable(
  'saved_media',
  {
    userId: reference('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mediaId: reference('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mediaId] }), index('savers_of_media').on(table.mediaId)],
);
