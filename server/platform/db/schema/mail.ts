import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { identity, reference, timestamptz } from './columns.ts';
import { userReference, users } from './people.ts';

/** The outbox of mail: written in the transaction of the event, sent by the job `mail.send`. One recipient each. */
export const mails = pgTable(
  'mails',
  {
    id: identity(),
    /** Whom it is about. A mail that confirms a deletion outlives the account. */
    userId: reference('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Name of the template. */
    kind: text('kind').notNull(),
    /** Null when there is nobody to send it to, and some days after its end. */
    address: text('address'),
    /** What the template needs; null some days after its end. */
    params: jsonb('params').$type<Record<string, unknown>>(),
    /** Connects the links in all attempts to send it: using one ends the others. */
    request: uuid('request').notNull().defaultRandom(),
    /** Never changes, so a mail that is sent twice after a crash is one to whoever receives it. */
    messageId: text('message_id').notNull().unique(),
    state: text('state').$type<'queued' | 'sent' | 'refused' | 'dropped'>().notNull(),
    tries: smallint('tries').notNull().default(0),
    /** Why the last attempt failed: a code of SMTP or of the network. */
    lastCode: text('last_code'),
    createdAt: timestamptz('created_at').notNull(),
    /** When it was sent, refused or dropped. */
    endedAt: timestamptz('ended_at'),
  },
  (table) => [
    index('mails_of_user').on(table.userId),
    index('mails_by_end').on(table.endedAt),
    index('mails_waiting')
      .on(table.createdAt)
      .where(sql`state = 'queued'`),
  ],
);

/** Links sent by mail. Only the hash of the token is stored. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    id: identity(),
    request: uuid('request').notNull(),
    userId: userReference(),
    purpose: text('purpose')
      .$type<'verify' | 'reset' | 'secure' | 'change-email' | 'restore-email' | 'guardian'>()
      .notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The address that the link was sent to. */
    address: text('address').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [
    index('account_tokens_of_user').on(table.userId),
    index('account_tokens_of_request').on(table.request),
    index('account_tokens_by_end').on(table.expiresAt),
  ],
);
