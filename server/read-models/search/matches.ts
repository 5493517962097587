import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { profileSearch } from '#server/platform/db/schema.ts';
import { allOf } from './terms.ts';

/** A position in the order of matches: by quality, then newest profile first. */
export interface MatchPlace {
  quality: number;
  id: number;
}

/** Which rows of the search index to read, best first. */
export interface MatchQuery {
  /** Parts of a tsquery that must all match. */
  tokens: readonly string[];
  /** Further conditions on the columns of `profile_search`. */
  where: readonly SQL[];
  /** The last row of the page before. */
  after?: MatchPlace | null;
  limit: number;
}

/*
 * There are two ways to read the best matches. `sortMatches` looks up all matches in the index of tokens and sorts them: fast when few match.
 * `walkMatches` reads profiles in order and keeps those that match: fast when many match, because it stops when the page is full. Both give
 * the same rows.
 */

/** Reading the tokens of one profile, which are stored out of line, costs about as much as sorting this many matches (an estimate). */
const TOKENS_COST = 25;
/** Without tokens, `sort` reads the whole table in its order on disk; reading one row in another order costs this much more (an estimate). */
const UNORDERED_COST = 3;
/** A walk may always read this many times the rows that it is expected to need. */
const WALK_MARGIN = 4;

const joinConditions = ({ tokens, where }: Pick<MatchQuery, 'tokens' | 'where'>): SQL => {
  const matches = tokens.length === 0 ? [] : [sql`tokens @@ ${allOf(tokens)}::tsquery`];
  // Columns first, because tokens must be fetched from out of line.
  return sql.join([sql`true`, ...where, ...matches], sql` and `);
};

interface QueryPlan extends Record<string, unknown> {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

/** Returns how many rows a walk is expected to read, and how many match, according to the statistics of PostgreSQL. */
async function estimate(db: Db, query: MatchQuery): Promise<{ people: number; matches: number; read: number }> {
  const { rows: tables } = await db.execute<{ people: number }>(
    sql`select reltuples as people from pg_class where oid = ${getTableName(profileSearch)}::regclass`,
  );
  // -1 or 0 without statistics.
  const people = Math.max(0, tables[0]?.people ?? 0);
  const { rows: plans } = await db.execute<QueryPlan>(
    sql`explain (format json) select from ${profileSearch} where ${joinConditions(query)}`,
  );
  const matches = Math.max(1, plans[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 1);
  return { people, matches, read: Math.ceil((query.limit * people) / matches) };
}

/**
 * Says how to read the matches: how many rows a walk may read to fill the page, or 0 to sort at once. The planner of PostgreSQL cannot choose,
 * because it prices tokens as if they were stored in the row. The matches may be rarer among the best profiles than among all: then a walk
 * goes on until it has cost as much as sorting.
 */
export async function planWalk(db: Db, query: MatchQuery): Promise<number> {
  const { people, matches, read } = await estimate(db, query);
  const sameCost = query.tokens.length > 0 ? matches / TOKENS_COST : people / UNORDERED_COST;
  // Without statistics, nobody knows how long a walk would take: `people` is 0.
  return people > 0 && read < sameCost ? Math.ceil(Math.max(read * WALK_MARGIN, sameCost)) : 0;
}

/** Reads matches by sorting all of them. The expressions keep the planner from using the index in order here. */
export async function sortMatches<Row extends Record<string, unknown>>(
  db: Db,
  columns: SQL,
  query: MatchQuery,
): Promise<Row[]> {
  const { after, limit, tokens } = query;
  // All rows are read: in their order on disk is fastest.
  if (tokens.length === 0) await db.execute(sql`select set_config('enable_seqscan', 'on', true)`);
  const behind = after ? sql`(quality + 0, profile_id + 0) < (${after.quality}, ${after.id})` : sql`true`;
  const { rows } = await db.execute<Row>(sql`
    select ${columns} from ${profileSearch} where ${joinConditions(query)} and ${behind}
    order by quality + 0 desc, profile_id + 0 desc limit ${limit}`);
  return rows as Row[];
}

/** Reads matches among the next `maxRead` profiles in order. */
export async function walkMatches<Row extends Record<string, unknown>>(
  db: Db,
  columns: SQL,
  query: MatchQuery,
  maxRead: number,
): Promise<Row[]> {
  const { after, limit } = query;
  const behind = after ? sql`where (quality, profile_id) < (${after.quality}, ${after.id})` : sql``;
  const { rows } = await db.execute<Row>(sql`
    select ${columns} from (
      select * from ${profileSearch} ${behind} order by quality desc, profile_id desc limit ${maxRead}
    ) as ${profileSearch}
    where ${joinConditions(query)} order by quality desc, profile_id desc limit ${limit}`);
  return rows as Row[];
}

/**
 * Reads the best matches.
 * @param columns what to return of each row of `profile_search`
 * @param maxWalk how many rows a walk may read, if that is known: see `planWalk`
 */
export async function readMatches<Row extends Record<string, unknown>>(
  db: Db,
  columns: SQL,
  query: MatchQuery,
  maxWalk?: number,
): Promise<Row[]> {
  const maxRead = maxWalk ?? (await planWalk(db, query));
  const walked = maxRead > 0 ? await walkMatches<Row>(db, columns, query, maxRead) : [];
  return walked.length === query.limit ? walked : sortMatches<Row>(db, columns, query);
}
