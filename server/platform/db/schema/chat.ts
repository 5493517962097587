import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { NOTIFICATION_TYPES, type NotificationData } from '#contract/records/notifications.ts';
import { auditionRequests } from './casting.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { connections, formerUserReference, userReference } from './people.ts';

const conversationReference = () =>
  reference('conversation_id')
    .notNull()
    .references(() => conversations.id, { onDelete: 'cascade' });

const requestReference = () => reference('request_id').references(() => auditionRequests.id, { onDelete: 'set null' });

/**
 * A conversation of two users. It opens when a connection request is accepted and closes with the connection. If they connect again, it
 * continues. A question about an audition opens it too, for people who are not connected.
 */
export const conversations = pgTable(
  'conversations',
  {
    id: identity(),
    /** Null while the two are not connected. */
    connectionId: reference('connection_id')
      .unique()
      .references(() => connections.id, { onDelete: 'set null' }),
    /** The request to audition about which one of them asked last. It is closed for both where this and the connection are null. */
    requestId: requestReference(),
    /** The two users, the lower id first. */
    firstId: formerUserReference('first_id'),
    secondId: formerUserReference('second_id'),
    /** Number of the newest message. Incremented under the row's lock in the writing transaction, so there are no gaps. */
    lastSeq: integer('last_seq').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('conversations_of_two').on(table.firstId, table.secondId),
    index('conversations_of_second').on(table.secondId),
    index('conversations_of_request').on(table.requestId),
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
    senderId: formerUserReference('sender_id'),
    receiverId: formerUserReference('receiver_id'),
    message: text('message').notNull(),
    /** The request to audition about which this asks. */
    requestId: requestReference(),
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
    index('messages_of_request')
      .on(table.requestId)
      .where(sql`request_id is not null`),
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
    /** Another one whenever it becomes unread: identifies the pushes about it. Null if it is older than pushes. */
    alert: uuid('alert').unique(),
    /** Since when it waits to be told by mail as well: since its alert, or since a time until which mail is held back. Null: it is not told by mail. */
    mailWaitsSince: timestamptz('mail_waits_since'),
  },
  (table) => [
    unique('notifications_once').on(table.userId, table.type, table.subjectId, table.actorId),
    index('notifications_in_order').on(table.userId, table.createdAt, table.id),
    index('notifications_of_actor').on(table.actorId),
    index('notifications_of_subject').on(table.type, table.subjectId),
    index('notifications_read')
      .on(table.readAt)
      .where(sql`read_at is not null`),
    index('notifications_to_mail')
      .on(table.userId, table.mailWaitsSince)
      .where(sql`mail_waits_since is not null`),
  ],
);
