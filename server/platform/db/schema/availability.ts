import { date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { DAY_STATES, type DayState, type OtherVersion } from '#contract/casting/availability.ts';
import { auditionRequests } from './casting.ts';
import { reference, timestamptz } from './columns.ts';
import { userReference } from './people.ts';

/**
 * What people said about their days, one row for each. A day about which nothing is said any more keeps its row, without a state, so that its
 * version never goes back.
 */
export const availabilityDays = pgTable(
  'availability_days',
  {
    userId: userReference(),
    date: date('date', { mode: 'string' }).notNull(),
    state: text('state', { enum: Object.keys(DAY_STATES) as [DayState, ...DayState[]] }),
    note: text('note'),
    /** The audition that the day is kept for. */
    requestId: reference('request_id').references(() => auditionRequests.id, { onDelete: 'set null' }),
    expiresAt: timestamptz('expires_at'),
    /** What another device said and was not kept, until the person has looked at it. */
    other: jsonb('other').$type<OtherVersion>(),
    version: integer('version').notNull().default(1),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.date] }),
    index('availability_days_by_end').on(table.expiresAt),
    index('availability_days_by_date').on(table.date),
    index('availability_days_of_request').on(table.requestId),
  ],
);
