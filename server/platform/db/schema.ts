import { sql } from 'drizzle-orm';
import type { Insights } from '#contract/records/insights.ts';
import { NOTIFICATION_TYPES, type NotificationData } from '#contract/records/notifications.ts';
import type { ReportReason } from '#contract/report-reasons.ts';
import type { SearchFacts, SearchRow } from '#contract/records/search.ts';
import type { Broadcast } from '#server/platform/live/broadcaster.ts';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/** Row ids. On the wire they are strings, and opaque to the app. */
const identity = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'number' });
/** The user that a row belongs to or is about. The row is deleted with the user. */
const userReference = (name = 'user_id') =>
  reference(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
const profileReference = () =>
  reference('profile_id')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' });
const conversationReference = () =>
  reference('conversation_id')
    .notNull()
    .references(() => conversations.id, { onDelete: 'cascade' });
/** A profile in a search result, without the facts that depend on the day or the caller. */
export type IndexedCard = Omit<SearchRow, 'facts'> & { facts: Omit<SearchFacts, 'is_active_lately' | 'is_saved'> };
/** A set of tokens, stored and indexed as a tsvector. */
const tokenSet = customType<{ data: string }>({ dataType: () => 'tsvector' });
const timestamptz = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * A single row that identifies this database. The epoch invalidates cursors of an earlier database; the secret signs cursors and links, so
 * that every node accepts those of the others.
 */
export const installation = pgTable('installation', {
  id: smallint('id').primaryKey().default(1),
  epoch: text('epoch').notNull(),
  linkSecret: text('link_secret')
    .notNull()
    .default(sql`gen_random_uuid()::text || gen_random_uuid()::text`),
  /** Credentials of live updates when the operator configures none. Generated once. */
  pusherKey: text('pusher_key')
    .notNull()
    .default(sql`replace(gen_random_uuid()::text, '-', '')`),
  pusherSecret: text('pusher_secret')
    .notNull()
    .default(sql`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`),
});

export const users = pgTable('users', {
  id: identity(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  slug: text('slug').notNull().unique(),
  createdAt: timestamptz('created_at').notNull(),
  /** Whether others see this user's read receipts. When off, the user sees none of theirs either. */
  readReceipts: boolean('read_receipts').notNull().default(true),
  /** Counts the changes of this user's mirror. Incremented under the row's lock in the writing transaction. */
  syncSeq: reference('sync_seq').notNull().default(0),
  /** The highest counter among deleted tombstones: older cursors must pull everything. */
  syncForgotten: reference('sync_forgotten').notNull().default(0),
});

export const sessions = pgTable(
  'sessions',
  {
    id: identity(),
    userId: userReference(),
    /** SHA-256 of the token, hexadecimal. The token itself is not stored. */
    tokenHash: text('token_hash').notNull().unique(),
    device: text('device').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastSeenAt: timestamptz('last_seen_at').notNull(),
    /** Number of changes waiting on the device, from its last X-Pending header. */
    pending: integer('pending').notNull().default(0),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
);

/** Networks from which a user has signed in. Password guesses from other networks do not lock the user out there. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    userId: userReference(),
    /** HMAC of the network, so that the database holds no IP addresses. */
    networkHash: text('network_hash').notNull(),
    lastUsedAt: timestamptz('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.networkHash] })],
);

export const profileTypes = pgTable('profile_types', {
  id: identity(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
});

/** Lookup lists, inserted from `lookups.ts` at every start. */
export const industries = pgTable('industries', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** Name of its image under `icons/industries/`. */
  icon: text('icon').notNull(),
});

export const languages = pgTable('languages', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** One or two letters of its script, shown as its icon. */
  icon: text('icon').notNull(),
});

export const profiles = pgTable(
  'profiles',
  {
    id: identity(),
    userId: userReference(),
    profileTypeId: reference('profile_type_id')
      .notNull()
      .references(() => profileTypes.id),
    status: text('status', { enum: ['active', 'inactive'] }).notNull(),
    stageName: text('stage_name').notNull(),
    title: text('title'),
    location: text('location'),
    perDay: doublePrecision('per_day'),
    dob: date('dob', { mode: 'string' }),
    minAge: smallint('min_age'),
    maxAge: smallint('max_age'),
    industryId: reference('industry_id').references(() => industries.id),
    /** Key in the file store. */
    photoKey: text('photo_key'),
    /** The text of About me. */
    description: text('description'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('profiles_one_of_each_type').on(table.userId, table.profileTypeId),
    unique('profiles_client_id').on(table.userId, table.clientId),
    index('profiles_active')
      .on(table.id)
      .where(sql`status = 'active'`),
    index('profiles_of_industry')
      .on(table.industryId, table.userId)
      .where(sql`status = 'active'`),
    check('profiles_status', sql`${table.status} in ('active', 'inactive')`),
  ],
);

/** Connection requests and accepted connections. One row per pair of users; declined and ended ones are deleted. */
export const connections = pgTable(
  'connections',
  {
    id: identity(),
    senderId: userReference('sender_id'),
    receiverId: userReference('receiver_id'),
    status: text('status', { enum: ['pending', 'accepted'] }).notNull(),
    /** The sender's message with the request. */
    message: text('message'),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('connections_of_two').on(
      sql`least(${table.senderId}, ${table.receiverId})`,
      sql`greatest(${table.senderId}, ${table.receiverId})`,
    ),
    unique('connections_client_id').on(table.senderId, table.clientId),
    index('connections_of_sender').on(table.senderId, table.status, table.updatedAt),
    index('connections_of_receiver').on(table.receiverId, table.status, table.updatedAt),
    check('connections_status', sql`${table.status} in ('pending', 'accepted')`),
    check('connections_not_self', sql`${table.senderId} <> ${table.receiverId}`),
  ],
);

/** Blocks between users. A block hides each of the two from the other. */
export const blocks = pgTable(
  'blocks',
  {
    blockerId: userReference('blocker_id'),
    blockedId: userReference('blocked_id'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_of_blocked').on(table.blockedId),
  ],
);

/** Profiles that users saved. */
export const savedProfiles = pgTable(
  'saved_profiles',
  {
    id: identity(),
    userId: userReference(),
    profileId: profileReference(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('saved_profiles_once').on(table.userId, table.profileId),
    index('saved_profiles_of_profile').on(table.profileId),
  ],
);

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

/** Served files and their owners. The sweep removes files from the store that are neither here nor in upload_parts. */
export const storedFiles = pgTable(
  'stored_files',
  {
    key: text('key').primaryKey(),
    userId: userReference(),
    /** The profile or conversation that the file belongs to determines who may see it. */
    profileId: reference('profile_id').references(() => profiles.id, { onDelete: 'cascade' }),
    conversationId: reference('conversation_id').references(() => conversations.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    sizeBytes: reference('size_bytes').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('stored_files_of_profile').on(table.profileId),
    index('stored_files_of_conversation').on(table.conversationId),
    index('stored_files_of_user').on(table.userId),
    check('stored_files_of_one', sql`num_nonnulls(${table.profileId}, ${table.conversationId}) = 1`),
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

/** Stored responses of writes, for repeats under the same key. Written in the transaction of the write. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: userReference(),
    key: uuid('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: smallint('status').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

/** The sync feed: one row per user and record, with the counter of its last change. Bodies are read from the records themselves. */
export const syncRecords = pgTable(
  'sync_records',
  {
    userId: userReference(),
    type: text('type').notNull(),
    recordId: text('record_id').notNull(),
    parent: text('parent'),
    seq: reference('seq').notNull(),
    /** Set on a tombstone. */
    deletedAt: timestamptz('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.type, table.recordId] }),
    index('sync_records_by_seq').on(table.userId, table.seq),
    index('sync_records_tombstones')
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
);

/** The outbox of live events: written in the transaction of the write, then sent and deleted after the commit. */
export const liveOutbox = pgTable('live_notes', {
  id: identity(),
  note: jsonb('note').$type<Broadcast>().notNull(),
  createdAt: timestamptz('created_at').notNull(),
});

/**
 * The session of each live socket, when an external service holds the sockets. A socket belongs to the first session that claims it, for its
 * lifetime.
 */
export const liveSockets = pgTable(
  'live_sockets',
  {
    socketId: text('socket_id').primaryKey(),
    sessionId: reference('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    lastUsedAt: timestamptz('last_used_at').notNull(),
  },
  (table) => [index('live_sockets_of_session').on(table.sessionId)],
);

/**
 * A conversation of two users. It opens when a connection request is accepted and closes with the connection. If they connect again, it
 * continues.
 */
export const conversations = pgTable(
  'conversations',
  {
    id: identity(),
    /** Null while it is closed. */
    connectionId: reference('connection_id')
      .unique()
      .references(() => connections.id, { onDelete: 'set null' }),
    /** The two users, the lower id first. */
    firstId: userReference('first_id'),
    secondId: userReference('second_id'),
    /** Number of the newest message. Incremented under the row's lock in the writing transaction, so there are no gaps. */
    lastSeq: integer('last_seq').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('conversations_of_two').on(table.firstId, table.secondId),
    index('conversations_of_second').on(table.secondId),
    check('conversations_in_order', sql`${table.firstId} < ${table.secondId}`),
  ],
);

/** Each user's state in a conversation. */
export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: conversationReference(),
    userId: userReference(),
    /** The newest message delivered to one of the user's devices, and the newest message read. */
    deliveredSeq: integer('delivered_seq').notNull().default(0),
    readSeq: integer('read_seq').notNull().default(0),
    isStarred: boolean('is_starred').notNull().default(false),
    isPinned: boolean('is_pinned').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index('conversations_of_member').on(table.userId),
  ],
);

export const messages = pgTable(
  'messages',
  {
    id: identity(),
    conversationId: conversationReference(),
    /** 1, 2, 3 … within its conversation, in commit order. */
    seq: integer('seq').notNull(),
    senderId: userReference('sender_id'),
    receiverId: userReference('receiver_id'),
    message: text('message').notNull(),
    /** The `seq` of the message that this one answers. */
    replyTo: integer('reply_to'),
    /** A photo in the store, with smaller renditions. */
    photo: jsonb('photo').$type<{
      fileKey: string;
      thumbKey: string | null;
      renditions: { key: string; width: number; type: string }[];
      format: string;
      sizeBytes: number;
      width: number | null;
      height: number | null;
    }>(),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('messages_in_order').on(table.conversationId, table.seq),
    unique('messages_client_id').on(table.senderId, table.clientId),
    index('messages_of_receiver').on(table.receiverId),
  ],
);

/**
 * Notifications about other users' actions. There is one per type, subject and actor: a repeated action renews it. A notification is deleted
 * with its subject.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: identity(),
    userId: userReference(),
    actorId: userReference('actor_id'),
    type: text('type', { enum: NOTIFICATION_TYPES }).notNull(),
    /** Id of the connection, conversation, feedback or profile that it is about, depending on the type. */
    subjectId: reference('subject_id').notNull(),
    data: jsonb('data').$type<NotificationData>().notNull(),
    readAt: timestamptz('read_at'),
    /** When the action last happened. */
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('notifications_once').on(table.userId, table.type, table.subjectId, table.actorId),
    index('notifications_in_order').on(table.userId, table.createdAt, table.id),
    index('notifications_of_actor').on(table.actorId),
    index('notifications_of_subject').on(table.type, table.subjectId),
    index('notifications_read')
      .on(table.readAt)
      .where(sql`read_at is not null`),
  ],
);

/** Reports about users, for the operator. Deleted with either of the two users. */
export const reports = pgTable(
  'reports',
  {
    id: identity(),
    reporterId: userReference('reporter_id'),
    reportedId: userReference('reported_id'),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('reports_of_reporter').on(table.reporterId), index('reports_of_reported').on(table.reportedId)],
);

/**
 * The search index: one narrow row per active profile, built by `read-models/search/indexer.ts`. Tokens and card are stored out of line
 * (TOAST), so that sorting thousands of rows reads neither.
 */
export const profileSearch = pgTable(
  'profile_search',
  {
    profileId: reference('profile_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    userId: userReference(),
    /** Amount of content, 0 to 100. Ranks profiles that match equally well. */
    quality: smallint('quality').notNull(),
    minAge: smallint('min_age'),
    maxAge: smallint('max_age'),
    /** In centimeters. */
    height: doublePrecision('height'),
    /** The last day on which the user was active. */
    activeOn: date('active_on', { mode: 'string' }).notNull(),
    /** Search tokens: `n:` words of names; `m:` of title, place, skills and languages; `x:` of credits; and filters. */
    tokens: tokenSet('tokens').notNull(),
    /** The search result, ready to send. */
    card: jsonb('card').$type<IndexedCard>().notNull(),
    /** Spaces, which compress to almost nothing. PostgreSQL only moves values out of line in rows of over 2 kB. */
    filler: text('filler')
      .notNull()
      .default(sql`repeat(' ', 2100)`),
  },
  (table) => [
    index('profile_search_tokens').using('gin', table.tokens).with({ fastupdate: false }),
    index('profile_search_of_user').on(table.userId),
  ],
);

/** All indexed words, for finding words similar to what was typed. `kind`: w word, c word of a place, s name of a skill. */
export const searchTerms = pgTable(
  'search_terms',
  {
    kind: text('kind', { enum: ['w', 'c', 's'] }).notNull(),
    term: text('term').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.term] }),
    index('search_terms_alike').using('gin', table.term.op('gin_trgm_ops')),
  ],
);

/** Profiles that changed since they were indexed. Triggers insert them in the changing transaction. */
export const searchQueue = pgTable('search_queue', {
  id: identity(),
  profileId: reference('profile_id').notNull(),
});

/** When each background job last started, on any node: see `server/platform/jobs.ts`. */
export const jobRuns = pgTable('job_runs', {
  name: text('name').primaryKey(),
  startedAt: timestamptz('started_at').notNull(),
});

/** A single row: the most recently computed insights. */
export const insightFigures = pgTable('insight_figures', {
  id: smallint('id').primaryKey().default(1),
  figures: jsonb('figures').$type<Insights>().notNull(),
  madeAt: timestamptz('made_at').notNull(),
});
