import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { identity, reference, timestamptz } from './columns.ts';
import { users } from './people.ts';

/** Casting offices that an operator has verified. Nobody else may register under a name that looks like theirs. */
export const offices = pgTable(
  'offices',
  {
    id: identity(),
    name: text('name').notNull(),
    /** What the name looks like: see `platform/names/skeleton.ts`. */
    skeleton: text('skeleton').notNull(),
    /** Host of its website, by which the operator knows it. */
    domain: text('domain'),
    /** The account that shows the badge; null if it was deleted. The name stays reserved until the office is revoked. */
    userId: reference('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The operator who verified it; null for the command `npm run offices`. */
    verifiedBy: reference('verified_by'),
    verifiedAt: timestamptz('verified_at').notNull(),
    revokedAt: timestamptz('revoked_at'),
  },
  (table) => [
    index('offices_of_user').on(table.userId),
    uniqueIndex('offices_one_of_a_person')
      .on(table.userId)
      .where(sql`revoked_at is null`),
    uniqueIndex('offices_by_skeleton')
      .on(table.skeleton)
      .where(sql`revoked_at is null`),
  ],
);
