import { sql } from 'drizzle-orm';
import {
  customType,
  bigint,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import type { Broadcast } from '#server/platform/live/broadcaster.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { sessions, userReference } from './people.ts';

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
  /** The pair of keys by which push services know this installation. Generated once; another one would end every subscription. */
  vapidPublicKey: text('vapid_public_key'),
  vapidPrivateKey: text('vapid_private_key'),
});

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

/** Type of a record in the sync feed, an enum. The server adds its values: see `addRecordTypes` in `read-models/sync/store.ts`. */
const recordType = customType<{ data: string }>({ dataType: () => 'sync_type' });

/**
 * The sync feed: one row per user and record, with the counter of its last change. Bodies are read from the records themselves. There is a
 * row for each record of each user, so columns and indexes are as narrow as possible (decision 027).
 */
export const syncRecords = pgTable(
  'sync_records',
  {
    /** A user who may have deleted their account: see `erasures`. */
    userId: integer('user_id').notNull(),
    type: recordType('type').notNull(),
    recordId: reference('record_id').notNull(),
    /** Id of the record that this one belongs to. That of a message, its conversation, is not repeated here. */
    parent: integer('parent'),
    seq: integer('seq').notNull(),
    /** Set on a tombstone. */
    deletedAt: timestamptz('deleted_at'),
  },
  (table) => [
    // Messages never change, so nothing looks up their rows. This order needs no padding and keeps the rows of a user together.
    uniqueIndex('sync_records_once')
      .on(table.userId, table.type, table.recordId)
      .where(sql`type <> 'message'`),
    // PostgreSQL stores equal keys once. Rounded counters make many keys equal, which shrinks this index.
    index('sync_records_in_order').on(table.userId, sql`(seq / 64)`),
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
 * Uses of rate limits, counted for all nodes together: see `platform/http/shared-limiter.ts`. The migration makes the table unlogged, so that
 * counting costs no write-ahead log; a crash of the database forgets the counts.
 */
export const limits = pgTable('limits', {
  /** Name of the limit and HMAC of its subject. */
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970, by the clock of the node that began the window. */
  expire: bigint('expire', { mode: 'number' }),
});

/** Numbers for the processes that run jobs: see `server/platform/jobs/nodes.ts`. */
export const jobNodes = pgSequence('job_nodes');

/** The workers of the job queue and the process they belong to, so that the jobs of a killed process can be released. */
export const jobWorkers = pgTable(
  'job_workers',
  {
    workerId: text('worker_id').primaryKey(),
    node: integer('node').notNull(),
  },
  (table) => [index('job_workers_of_node').on(table.node)],
);
