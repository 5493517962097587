import { sql } from 'drizzle-orm';
import { date, index, pgTable, smallint, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import type { GuardianState } from '#contract/records/consent.ts';
import type { LegalDocument } from '#contract/legal.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { userReference, users } from './people.ts';

/** Which versions of the texts people agreed to, and when. Rows are only added. */
export const consents = pgTable(
  'consents',
  {
    id: identity(),
    userId: userReference(),
    document: text('document').$type<LegalDocument>().notNull(),
    version: text('version').notNull(),
    agreedAt: timestamptz('agreed_at').notNull(),
    /** Where: when they signed up, when the app asked, or their guardian for them. */
    how: text('how').$type<'registration' | 'prompt' | 'guardian'>().notNull(),
  },
  (table) => [unique('consents_once').on(table.userId, table.document, table.version, table.how)],
);

/** The adult who decides whether the page of a person under 18 is public. They have no account and see no messages. */
export const guardians = pgTable(
  'guardians',
  {
    userId: reference('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    state: text('state').$type<GuardianState>().notNull(),
    askedAt: timestamptz('asked_at').notNull(),
    decidedAt: timestamptz('decided_at'),
    /** The version of the terms that the guardian agreed to. */
    terms: text('terms'),
    /** How many reminders they got. */
    reminded: smallint('reminded').notNull().default(0),
  },
  (table) => [
    index('guardians_waiting')
      .on(table.askedAt)
      .where(sql`state = 'asked'`),
  ],
);

/**
 * Requests of people under 18 to correct their date of birth to an earlier one. The desk decides them; decided and withdrawn ones are
 * deleted a year later.
 */
export const ageRequests = pgTable(
  'age_requests',
  {
    id: identity(),
    userId: userReference(),
    /** The date that the person asks for. */
    wanted: date('wanted', { mode: 'string' }).notNull(),
    /** The date that they had given. */
    bornOn: date('born_on', { mode: 'string' }).notNull(),
    /** In the person's words. */
    reason: text('reason'),
    askedAt: timestamptz('asked_at').notNull(),
    state: text('state', { enum: ['open', 'granted', 'declined', 'withdrawn'] })
      .notNull()
      .default('open'),
    /** The operator; null if the person withdrew it. */
    decidedBy: reference('decided_by'),
    decidedAt: timestamptz('decided_at'),
    /** What the person was told. */
    words: text('words'),
  },
  (table) => [
    uniqueIndex('age_requests_one_open')
      .on(table.userId)
      .where(sql`state = 'open'`),
    index('age_requests_of_user').on(table.userId, table.id),
    index('age_requests_waiting')
      .on(table.id)
      .where(sql`state = 'open'`),
    index('age_requests_decided').on(table.decidedAt),
  ],
);
