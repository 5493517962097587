import { sql } from 'drizzle-orm';
import {
  customType,
  date,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import type { Insights } from '#contract/records/insights.ts';
import type { SearchFacts, SearchRow } from '#contract/records/search.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { profiles, userReference } from './people.ts';

/** A profile in a search result, without the facts that depend on the day or the caller. */
export type IndexedCard = Omit<SearchRow, 'facts'> & { facts: Omit<SearchFacts, 'is_active_lately' | 'is_saved'> };

/** A set of tokens, stored and indexed as a tsvector. */
const tokenSet = customType<{ data: string }>({ dataType: () => 'tsvector' });

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
    // Searches that match many read profiles in this order until a page is full: see `read-models/search/matches.ts`.
    index('profile_search_in_order').on(table.quality, table.profileId),
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

/** A single row: the most recently computed insights. */
export const insightFigures = pgTable('insight_figures', {
  id: smallint('id').primaryKey().default(1),
  figures: jsonb('figures').$type<Insights>().notNull(),
  madeAt: timestamptz('made_at').notNull(),
  /** When a node last began to compute them. */
  claimedAt: timestamptz('claimed_at'),
});
