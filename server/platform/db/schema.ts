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

/** Row ids. On the wire they are text, and opaque to the app. */
const identity = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'number' });
/** Whom a row belongs to, or is about: it goes when they go. */
const ofUser = (name = 'user_id') =>
  reference(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
const ofProfile = () =>
  reference('profile_id')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' });
const ofConversation = () =>
  reference('conversation_id')
    .notNull()
    .references(() => conversations.id, { onDelete: 'cascade' });
/** What an answer of the search says of a profile, but for what depends on the day and on who asks. */
export type IndexedCard = Omit<SearchRow, 'facts'> & { facts: Omit<SearchFacts, 'is_active_lately' | 'is_saved'> };
/** A set of words as PostgreSQL keeps and finds it. */
const tokenSet = customType<{ data: string }>({ dataType: () => 'tsvector' });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * One row: what this database is. The epoch tells cursors of a database that was started afresh from its own; the secret
 * signs links to files, so that every node knows those of the others.
 */
export const installation = pgTable('installation', {
  id: smallint('id').primaryKey().default(1),
  epoch: text('epoch').notNull(),
  linkSecret: text('link_secret')
    .notNull()
    .default(sql`gen_random_uuid()::text || gen_random_uuid()::text`),
  /** Of live updates, where the operator gives none: made at the first start, the same ever after. */
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
  createdAt: moment('created_at').notNull(),
  /** Whether others are told how far this person has read; in return they see no receipts themselves when off. */
  readReceipts: boolean('read_receipts').notNull().default(true),
  /** Counts the changes of this person's mirror; raised under the row's lock in the writing transaction. */
  syncSeq: reference('sync_seq').notNull().default(0),
  /** The highest counter among tombstones that were forgotten: older cursors must pull everything. */
  syncForgotten: reference('sync_forgotten').notNull().default(0),
});

export const sessions = pgTable(
  'sessions',
  {
    id: identity(),
    userId: ofUser(),
    /** SHA-256 of the token, hexadecimal. The token itself is nowhere. */
    tokenHash: text('token_hash').notNull().unique(),
    device: text('device').notNull(),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** Changes that wait on the device, by its last X-Pending. */
    pending: integer('pending').notNull().default(0),
  },
  (table) => [index('sessions_by_user').on(table.userId)],
);

/** Networks from which a person has signed in. Guesses from elsewhere do not keep the person out there. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    userId: ofUser(),
    /** HMAC of the network, so that the database holds no addresses. */
    networkHash: text('network_hash').notNull(),
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.networkHash] })],
);

export const profileTypes = pgTable('profile_types', {
  id: identity(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
});

/** Lookup lists, laid down by `lookups.ts` at every start. */
export const industries = pgTable('industries', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** Name of its picture under `icons/industries/`. */
  icon: text('icon').notNull(),
});

export const languages = pgTable('languages', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** A letter or two of its own script, which its picture is made of. */
  icon: text('icon').notNull(),
});

export const profiles = pgTable(
  'profiles',
  {
    id: identity(),
    userId: ofUser(),
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
    /** About me. */
    description: text('description'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
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

/** Who asked whom, and whether it was accepted. One row for two people, whoever asked; a declined or ended one is gone. */
export const connections = pgTable(
  'connections',
  {
    id: identity(),
    senderId: ofUser('sender_id'),
    receiverId: ofUser('receiver_id'),
    status: text('status', { enum: ['pending', 'accepted'] }).notNull(),
    /** What the sender wrote with the request. */
    message: text('message'),
    clientId: uuid('client_id'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
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

/** Who wants to have nothing to do with whom. It hides each from the other. */
export const blocks = pgTable(
  'blocks',
  {
    blockerId: ofUser('blocker_id'),
    blockedId: ofUser('blocked_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_of_blocked').on(table.blockedId),
  ],
);

/** Profiles people keep for later. */
export const savedProfiles = pgTable(
  'saved_profiles',
  {
    id: identity(),
    userId: ofUser(),
    profileId: ofProfile(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('saved_profiles_once').on(table.userId, table.profileId),
    index('saved_profiles_of_profile').on(table.profileId),
  ],
);

/** Rows of every section; what a row holds is the section's definition to say. */
export const sectionRows = pgTable(
  'section_rows',
  {
    id: identity(),
    userId: ofUser(),
    profileId: ofProfile(),
    section: text('section').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('section_rows_client_id').on(table.userId, table.section, table.clientId),
    index('section_rows_of_profile').on(table.profileId, table.section, table.id),
  ],
);

/** One version for all rows of a set of a profile. It outlives its rows: an emptied set must not count from one again. */
export const sectionSets = pgTable(
  'section_sets',
  {
    profileId: ofProfile(),
    section: text('section').notNull(),
    version: integer('version').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.profileId, table.section] })],
);

/** Bytes on their way in (tus). The id is minted by the client. Attached to something, an upload is gone. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    userId: ofUser(),
    lengthBytes: reference('length_bytes').notNull(),
    /** Bytes that are safe in the store. A part counts only if this still stands where the part begins. */
    offsetBytes: reference('offset_bytes').notNull().default(0),
    parts: integer('parts').notNull().default(0),
    /** Of the whole, hexadecimal; null until it is complete. */
    sha256: text('sha256'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('uploads_by_age').on(table.updatedAt), index('uploads_by_user').on(table.userId)],
);

/** Each part is a file in the store; in order of their beginnings they are the upload. */
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

/** Files that are served, and whose they are. What lies in the store and stands neither here nor in upload_parts is swept. */
export const storedFiles = pgTable(
  'stored_files',
  {
    key: text('key').primaryKey(),
    userId: ofUser(),
    /** What it belongs to decides who may see it: a profile, or a conversation. */
    profileId: reference('profile_id').references(() => profiles.id, { onDelete: 'cascade' }),
    conversationId: reference('conversation_id').references(() => conversations.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    sizeBytes: reference('size_bytes').notNull(),
    createdAt: moment('created_at').notNull(),
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
    userId: ofUser(),
    profileId: ofProfile(),
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
    /** Loudness from 0 to 1, from beginning to end; of recordings whose sender could play them. */
    peaks: jsonb('peaks').$type<number[]>(),
    /** Of a video that lies there and not here. */
    youtubeId: text('youtube_id'),
    metadata: jsonb('metadata').$type<{ key: string; value: string }[]>().notNull().default([]),
    position: integer('position'),
    isHidden: boolean('is_hidden').notNull().default(false),
    isPrimary: boolean('is_primary').notNull().default(false),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    /** Which file of its submission, from 0: the files of one submission share its client_id. */
    clientPart: smallint('client_part').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('media_client_id').on(table.userId, table.clientId, table.clientPart),
    index('media_of_profile').on(table.profileId, table.mediaType, table.id),
  ],
);

/** Media people keep for later, their own or others'. */
export const savedMedia = pgTable(
  'saved_media',
  {
    userId: reference('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mediaId: reference('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mediaId] }), index('savers_of_media').on(table.mediaId)],
);

/** Answers of writes that were done, for those who ask again under the same key. Written with the effect itself. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: ofUser(),
    key: uuid('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: smallint('status').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

/** What changed in whose mirror: one row per record, holding the counter of its last change. Bodies are read from the records. */
export const syncRecords = pgTable(
  'sync_records',
  {
    userId: ofUser(),
    type: text('type').notNull(),
    recordId: text('record_id').notNull(),
    parent: text('parent'),
    seq: reference('seq').notNull(),
    /** Set on a tombstone. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.type, table.recordId] }),
    index('sync_records_by_seq').on(table.userId, table.seq),
    index('sync_records_tombstones')
      .on(table.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
);

/** What is to be told to whom listens: written with what it tells of, sent and deleted after the commit. */
export const liveOutbox = pgTable('live_notes', {
  id: identity(),
  note: jsonb('note').$type<Broadcast>().notNull(),
  createdAt: moment('created_at').notNull(),
});

/**
 * The session a live socket belongs to, for servers whose sockets a service beside them holds. A socket belongs to the first
 * session that asks for it, for as long as it lives.
 */
export const liveSockets = pgTable(
  'live_sockets',
  {
    socketId: text('socket_id').primaryKey(),
    sessionId: reference('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (table) => [index('live_sockets_of_session').on(table.sessionId)],
);

/**
 * Two people who agreed to talk. It begins when a request is accepted and closes with the connection; should they connect
 * again, it goes on where it was.
 */
export const conversations = pgTable(
  'conversations',
  {
    id: identity(),
    /** Null while it is closed. */
    connectionId: reference('connection_id')
      .unique()
      .references(() => connections.id, { onDelete: 'set null' }),
    /** The two, the lower id first. */
    firstId: ofUser('first_id'),
    secondId: ofUser('second_id'),
    /** Of the newest message; raised under the row's lock in the writing transaction, so that it counts without a gap. */
    lastSeq: integer('last_seq').notNull().default(0),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('conversations_of_two').on(table.firstId, table.secondId),
    index('conversations_of_second').on(table.secondId),
    check('conversations_in_order', sql`${table.firstId} < ${table.secondId}`),
  ],
);

/** What each of the two knows of a conversation. */
export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: ofConversation(),
    userId: ofUser(),
    /** The newest message that reached a device of theirs, and the newest they saw. */
    deliveredSeq: integer('delivered_seq').notNull().default(0),
    readSeq: integer('read_seq').notNull().default(0),
    isStarred: boolean('is_starred').notNull().default(false),
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
    conversationId: ofConversation(),
    /** 1, 2, 3 … in its conversation, in the order of the commits. */
    seq: integer('seq').notNull(),
    senderId: ofUser('sender_id'),
    receiverId: ofUser('receiver_id'),
    message: text('message').notNull(),
    /** A picture in the store with its smaller copies. */
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
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('messages_in_order').on(table.conversationId, table.seq),
    unique('messages_client_id').on(table.senderId, table.clientId),
    index('messages_of_receiver').on(table.receiverId),
  ],
);

/**
 * What other people did that this one should know of. One of a kind about one thing: what happens again raises it, and it
 * is gone when what it is about is gone.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: identity(),
    userId: ofUser(),
    actorId: ofUser('actor_id'),
    type: text('type', { enum: NOTIFICATION_TYPES }).notNull(),
    /** Id of the connection, conversation, feedback or profile it is about, by its type. */
    subjectId: reference('subject_id').notNull(),
    data: jsonb('data').$type<NotificationData>().notNull(),
    readAt: moment('read_at'),
    /** When it happened last. */
    createdAt: moment('created_at').notNull(),
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

/** What people told who runs the server of others. It goes with either of the two. */
export const reports = pgTable(
  'reports',
  {
    id: identity(),
    reporterId: ofUser('reporter_id'),
    reportedId: ofUser('reported_id'),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('reports_of_reporter').on(table.reporterId), index('reports_of_reported').on(table.reportedId)],
);

/**
 * What a search goes by: one narrow row for each active profile, made from it by `read-models/search/indexer.ts`. Tokens and
 * card lie beside the row (TOAST), so that sorting thousands of rows reads neither.
 */
export const profileSearch = pgTable(
  'profile_search',
  {
    profileId: reference('profile_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    /** How much there is to see, 0 to 100: decides between those who match alike. */
    quality: smallint('quality').notNull(),
    minAge: smallint('min_age'),
    maxAge: smallint('max_age'),
    /** Centimetres. */
    height: doublePrecision('height'),
    /** The last day they were about. */
    activeOn: date('active_on', { mode: 'string' }).notNull(),
    /** What can be asked for: `n:` words of names, `m:` of title, place, skills and languages, `x:` of credits, and filters. */
    tokens: tokenSet('tokens').notNull(),
    /** The answer, ready. */
    card: jsonb('card').$type<IndexedCard>().notNull(),
    /** Blanks, which take no room: PostgreSQL moves long values out of rows of over 2 kB alone. */
    filler: text('filler')
      .notNull()
      .default(sql`repeat(' ', 2100)`),
  },
  (table) => [
    index('profile_search_tokens').using('gin', table.tokens).with({ fastupdate: false }),
    index('profile_search_of_user').on(table.userId),
  ],
);

/** Every word there is, to find those that are nearly what was typed. `kind`: w word, c word of a place, s name of a skill. */
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

/** Profiles that changed since they were indexed; written by triggers, in the changing transaction. */
export const searchQueue = pgTable('search_queue', {
  id: identity(),
  profileId: reference('profile_id').notNull(),
});

/** When work that nobody waits for began last, whichever node did it: see `server/platform/jobs.ts`. */
export const jobRuns = pgTable('job_runs', {
  name: text('name').primaryKey(),
  startedAt: moment('started_at').notNull(),
});

/** One row: the figures of the trade as they were last made. */
export const insightFigures = pgTable('insight_figures', {
  id: smallint('id').primaryKey().default(1),
  figures: jsonb('figures').$type<Insights>().notNull(),
  madeAt: moment('made_at').notNull(),
});
