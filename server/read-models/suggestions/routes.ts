import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { connectionRecord, type Connection } from '#contract/records/people.ts';
import { SEARCH_CALLS } from '#contract/search-calls.ts';
import { toWords } from '#contract/search-words.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { blocks, connections, profiles, profileSearch } from '#server/platform/db/schema.ts';
import { findMinors } from '#server/platform/access/minors.ts';
import { indexBatch } from '#server/read-models/search/indexer.ts';
import { readMatches } from '#server/read-models/search/matches.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { getPersonSummaries, getIndustries } from '#server/platform/access/person-summaries.ts';

/** Maximum number of suggestions returned. */
const MAX_SUGGESTIONS = 30;
/** Maximum number of candidates per reason. */
const CANDIDATES_PER_REASON = 150;
/** Mutual connections are computed over this many of the caller's newest connections. */
const MAX_CONNECTIONS = 300;
/** Score of each reason; profile quality adds up to 1. */
const WEIGHT = { mutual: 2, mostMutual: 8, industry: 3, place: 3, quality: 1 / 100 };

/** What two people can have in common according to their profiles. */
interface Common {
  industries: string[];
  /** Index tokens of each place. */
  places: string[];
}

async function readCommonTraits(db: Db, userId: number): Promise<Common> {
  const own = await db
    .select({ industryId: profiles.industryId, location: profiles.location })
    .from(profiles)
    .where(and(eq(profiles.userId, userId), profiles.isShown));
  // Use only 'Pune' of 'Pune, India': a country would match almost everyone.
  const places = own.map(({ location }) => toWords(location?.split(',')[0] ?? '')).filter((words) => words.length > 0);
  const all = (words: string[]) => `(${words.map((word) => `'c:${word}'`).join(' & ')})`;
  return {
    industries: [...new Set(own.flatMap(({ industryId }) => (industryId === null ? [] : [`'i:${industryId}'`])))],
    places: [...new Set(places.map(all))],
  };
}

/** People to exclude: the caller, their connections and requests, and blocks in either direction. */
const excludedPeople = (userId: number) => sql`
  select ${userId}::bigint as id
  union all select receiver_id from ${connections} where sender_id = ${userId}
  union all select sender_id from ${connections} where receiver_id = ${userId}
  union all select blocked_id from ${blocks} where blocker_id = ${userId}
  union all select blocker_id from ${blocks} where blocked_id = ${userId}`;

type Scored = Map<number, number>;

/** Connections of the caller's connections, with the number of mutual connections. */
async function scoreMutual(db: Db, userId: number): Promise<Scored> {
  const { rows } = await db.execute<{ id: string; count: string }>(sql`
    with friends as materialized (
      select id from (
        select receiver_id as id, updated_at from ${connections} where sender_id = ${userId} and status = 'accepted'
        union all
        select sender_id, updated_at from ${connections} where receiver_id = ${userId} and status = 'accepted'
      ) mine order by updated_at desc limit ${MAX_CONNECTIONS}
    ), theirs as (
      select receiver_id as id from ${connections} join friends on sender_id = friends.id where status = 'accepted'
      union all
      select sender_id from ${connections} join friends on receiver_id = friends.id where status = 'accepted'
    )
    select id, count(*) as count from theirs
    where id not in (${excludedPeople(userId)}) and exists (select from ${profileSearch} where user_id = theirs.id)
    group by id order by count desc, id desc limit ${CANDIDATES_PER_REASON}`);
  const score = (count: number) => Math.min(WEIGHT.mostMutual, count * WEIGHT.mutual);
  return new Map(rows.map(({ id, count }) => [Number(id), score(Number(count))]));
}

/** People in these places and industries, by quality. @param tokens none for anyone */
async function scoreByIndex(db: Db, userId: number, tokens: string[]): Promise<Scored> {
  const rows = await readMatches<{ id: string; quality: number }>(db, sql`user_id as id, quality`, {
    tokens,
    where: [sql`user_id not in (${excludedPeople(userId)})`],
    limit: CANDIDATES_PER_REASON,
  });
  return new Map(rows.map(({ id, quality }) => [Number(id), quality * WEIGHT.quality]));
}

/** Computes the score of each candidate. */
async function scoreCandidates(db: Db, userId: number): Promise<Scored> {
  const { industries, places } = await readCommonTraits(db, userId);
  const [industry, place] = [industries.join(' | '), places.join(' | ')];
  const scores = await scoreMutual(db, userId);
  const add = (found: Scored, weight: number) => {
    for (const [id, quality] of found) scores.set(id, Math.max(scores.get(id) ?? 0, weight + quality));
  };
  const mutual = new Map(scores);
  if (industry && place) {
    add(await scoreByIndex(db, userId, [`(${industry})`, `(${place})`]), WEIGHT.industry + WEIGHT.place);
  }
  if (industry && scores.size < CANDIDATES_PER_REASON) add(await scoreByIndex(db, userId, [industry]), WEIGHT.industry);
  if (place && scores.size < CANDIDATES_PER_REASON) add(await scoreByIndex(db, userId, [place]), WEIGHT.place);
  if (scores.size < MAX_SUGGESTIONS) add(await scoreByIndex(db, userId, []), 0);
  return mutual.size === 0 ? scores : addCommonScores(db, scores, mutual, { industry, place });
}

/** Adds the score of shared places and industries to candidates found through mutual connections. */
async function addCommonScores(
  db: Db,
  scores: Scored,
  mutual: Scored,
  { industry, place }: { industry: string; place: string },
): Promise<Scored> {
  const has = (tokens: string) => (tokens === '' ? sql`false` : sql`tokens @@ ${tokens}::tsquery`);
  const { rows } = await db.execute<{ id: string; industry: boolean; place: boolean }>(sql`
    select user_id as id, bool_or(${has(industry)}) as industry, bool_or(${has(place)}) as place from ${profileSearch}
    where user_id = any(${sql.param([...mutual.keys()])}::bigint[]) group by user_id`);
  for (const row of rows) {
    const common = (row.industry ? WEIGHT.industry : 0) + (row.place ? WEIGHT.place : 0);
    const id = Number(row.id);
    scores.set(id, Math.max(scores.get(id) ?? 0, (mutual.get(id) ?? 0) + common));
  }
  return scores;
}

/** Lists suggested people, best score first. */
async function listSuggestions(db: Db, userId: number): Promise<Connection[]> {
  const scores = await scoreCandidates(db, userId);
  // Nobody is told to write to somebody under 18 whom they do not know.
  for (const id of await findMinors(db, [...scores.keys()])) scores.delete(id);
  const best = [...scores].sort(([a, one], [b, other]) => other - one || b - a).slice(0, MAX_SUGGESTIONS);
  const ids = best.map(([id]) => id);
  const summaries = await getPersonSummaries(db, ids);
  const industries = await getIndustries(db, ids);
  return best.flatMap(([id]) => {
    const summary = summaries.get(id);
    // Omit people without an active profile, even if the index is stale.
    if (summary?.slug == null) return [];
    return [
      {
        ...summary,
        industry_ids: industries.get(id) ?? [],
        id: null,
        status: null,
        sender: null,
        receiver: null,
        user_id: String(id),
        connected_user_id: null,
        message: null,
        conversation_id: null,
        client_id: null,
        updated_at: null,
      },
    ];
  });
}

/** Maximum profiles indexed before computing suggestions. */
const CATCH_UP_PROFILES = 10;

/** Connection suggestions. */
export function suggestionRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: SEARCH_CALLS.suggestedConnections,
    summary: 'People the caller may know: same industry or city, or shared connections',
    access: requiredAccount(),
    responses: { 200: z.array(connectionRecord) },
    handler: async ({ caller, db }) => {
      await indexBatch(db, CATCH_UP_PROFILES);
      const found = await db.transaction(
        async (tx) => {
          await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
          return listSuggestions(tx, caller.userId);
        },
        { accessMode: 'read only' },
      );
      return ok(found);
    },
  });
}
