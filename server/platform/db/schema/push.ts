import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { identity, reference, timestamptz } from './columns.ts';
import { sessions, userReference } from './people.ts';

/** Devices that receive pushes. A subscription ends with the session of its device, so nothing is pushed after signing out. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: identity(),
    userId: userReference(),
    sessionId: reference('session_id')
      .notNull()
      .unique()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** SHA-256 of the endpoint, hexadecimal. Endpoints are too long for an index. */
    endpointHash: text('endpoint_hash').notNull().unique(),
    /** The address at the push service. Whoever knows it could not push without our key, but it is never logged. */
    endpoint: text('endpoint').notNull(),
    /** The keys that pushes to it are encrypted with, base64url. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** IANA name; null if the device does not say. */
    timeZone: text('time_zone'),
    createdAt: timestamptz('created_at').notNull(),
    /** When the push service last took a push for it, and the failures since. */
    lastOkAt: timestamptz('last_ok_at'),
    failures: integer('failures').notNull().default(0),
    lastCode: text('last_code'),
  },
  (table) => [index('push_subscriptions_of_user').on(table.userId)],
);

/** Each push to each device. Kept for some weeks, so that none is sent twice. */
export const deliveries = pgTable(
  'deliveries',
  {
    /** Identifies the event on its way to all devices. A notification gets another one whenever it becomes unread again. */
    alert: uuid('alert').notNull(),
    /** A subscription that may have ended meanwhile. */
    subscriptionId: reference('subscription_id').notNull(),
    userId: userReference(),
    /** `summary` gathers the pushes of quiet hours. */
    kind: text('kind').$type<'notification' | 'summary' | 'test'>().notNull(),
    /** `held` waits for the end of quiet hours. `seen`: the device has shown it. */
    state: text('state').$type<'queued' | 'held' | 'sent' | 'dropped' | 'seen'>().notNull(),
    /** Why it was dropped, or what the push service answered last. */
    code: text('code'),
    /** The summary that includes it. */
    gatheredIn: uuid('gathered_in'),
    /** From when its time to live counts. */
    dueAt: timestamptz('due_at').notNull(),
    /** When the state last changed. */
    at: timestamptz('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.alert, table.subscriptionId] }),
    index('deliveries_of_user').on(table.userId),
    index('deliveries_by_time').on(table.at),
    index('deliveries_held')
      .on(table.subscriptionId)
      .where(sql`state = 'held'`),
    index('deliveries_gathered')
      .on(table.gatheredIn)
      .where(sql`gathered_in is not null`),
  ],
);
