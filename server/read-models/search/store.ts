import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import { MEDIA_LOOKUPS } from '#contract/records/media.ts';
import type { SearchQuery, SearchRow } from '#contract/records/search.ts';
import { normalizeText, toWords } from '#contract/search-words.ts';
import { getVerified } from '#server/platform/access/offices.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { blocks, languages, profiles, profileSearch, savedProfiles } from '#server/platform/db/schema.ts';
import { invalidCursor } from '#server/platform/http/paging.ts';
import type { IndexedCard } from '#server/platform/db/schema.ts';
import { planWalk, readMatches, type MatchPlace } from './matches.ts';
import { allOf, anyOf, exactToken, buildPlaceQuery, buildSkillQuery, buildSearchSteps } from './terms.ts';

/** Page cursor: the step, the row's position in it, and the number of results so far. */
export interface SearchPlace extends MatchPlace {
  step: number;
  found: number;
}

interface FoundRow extends Record<string, unknown> {
  profile_id: string;
  quality: number;
  card: IndexedCard;
  is_active_lately: boolean;
}

/** With this many exact matches, the search skips similar spellings. */
const MIN_EXACT_MATCHES = 20;
/** The 'active' filter matches people seen within this many days. */
const ACTIVE_WITHIN_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** More values of one filter are left out: each costs queries of its own, and anybody may search. */
const MAX_PARTS = 10;

const partsOf = (text: string | undefined) =>
  [...new Set((text ?? '').split(',').map((part) => part.trim()))].filter((part) => part !== '').slice(0, MAX_PARTS);
/** Matches by word: 'brown' also matches dark brown. */
const inWords = (field: string, part: string) => {
  const words = toWords(part);
  return words.length === 0 ? null : allOf(words.map((word) => exactToken(`${field}:${word}`)));
};

async function languageName(db: Db, id: string): Promise<string | null> {
  if (!/^[1-9]\d{0,8}$/.test(id)) return null;
  const [found] = await db
    .select({ name: languages.name })
    .from(languages)
    .where(eq(languages.id, Number(id)));
  return found?.name ?? null;
}

const accentName = (id: string): string | null => MEDIA_LOOKUPS.language_accents[Number(id) - 1] ?? null;
const named = (field: string, name: string | null) =>
  name === null ? null : exactToken(`${field}:${normalizeText(name)}`);

/** Builds the token query of the filters. @returns null if no profile can match */
async function buildFilterQuery(db: Db, query: SearchQuery): Promise<string[] | null> {
  const asked: string[] = [];
  /** Adds an OR over a list of values; a list without known values matches no profile. */
  const choose = async (list: string | undefined, ask: (part: string) => string | null | Promise<string | null>) => {
    if (list === undefined) return true;
    const found: string[] = [];
    for (const part of partsOf(list)) found.push(...[(await ask(part)) ?? []].flat());
    if (found.length > 0) asked.push(anyOf(found));
    return found.length > 0;
  };
  const isPossible =
    (await choose(query.type, (slug) => exactToken(`t:${slug.toLowerCase()}`))) &&
    (await choose(query.industry, (id) => exactToken(`i:${id}`))) &&
    (await choose(query.hair, (part) => inWords('h', part))) &&
    (await choose(query.eyes, (part) => inWords('e', part))) &&
    (await choose(query.accent, (id) => named('a', accentName(id)))) &&
    (await choose(query.voice_language, async (id) => named('v', await languageName(db, id)))) &&
    (await choose(query.location, (part) => buildPlaceQuery(db, part)));
  if (!isPossible) return null;
  asked.push(...partsOf(query.language).map((id) => exactToken(`l:${id}`)));
  for (const part of partsOf(query.skill)) {
    const skill = await buildSkillQuery(db, part, Math.trunc(query.level ?? 1));
    if (skill === null) return null;
    asked.push(skill);
  }
  if (query.reel) asked.push(exactToken('r:'));
  return asked;
}

/** Builds the conditions of the filters on columns. */
function buildRangeConditions(query: SearchQuery, now: Date): SQL[] {
  const asked: SQL[] = [];
  const { minAge, maxAge, height, activeOn } = profileSearch;
  const plays = (from: number, to: number) =>
    sql`(coalesce(${minAge}, ${maxAge}) is not null and coalesce(${minAge}, 0) <= ${to} and coalesce(${maxAge}, 100) >= ${from})`;
  if (query.age !== undefined) asked.push(plays(query.age, query.age));
  if (query.min_age !== undefined || query.max_age !== undefined) {
    asked.push(plays(query.min_age ?? LIMITS.ageMin, query.max_age ?? LIMITS.ageMax));
  }
  if (query.min_height !== undefined) asked.push(sql`${height} >= ${query.min_height}`);
  if (query.max_height !== undefined) asked.push(sql`${height} <= ${query.max_height}`);
  if (query.active) asked.push(sql`${activeOn} >= ${firstDay(now)}`);
  return asked;
}

const firstDay = (now: Date) => new Date(now.getTime() - ACTIVE_WITHIN_DAYS * DAY_MS).toISOString().slice(0, 10);

/** Reads which of these profiles are visible now, in case the index is stale, whose are verified offices, and which the person has saved. */
async function readCurrentState(db: Db, userId: number | null, ids: number[]) {
  const shown = await db
    .select({ id: profiles.id, userId: profiles.userId })
    .from(profiles)
    .where(and(inArray(profiles.id, ids), profiles.isShown));
  const saved =
    userId === null
      ? []
      : await db
          .select({ id: savedProfiles.profileId })
          .from(savedProfiles)
          .where(and(eq(savedProfiles.userId, userId), inArray(savedProfiles.profileId, ids)));
  const offices = await getVerified(
    db,
    shown.map(({ userId }) => userId),
  );
  const verified = new Map(shown.map(({ id, userId }) => [id, offices.get(userId) ?? null]));
  return { verified, saved: new Set(saved.map(({ id }) => id)) };
}

interface Page {
  rows: SearchRow[];
  next: SearchPlace | null;
}

interface Asked {
  query: SearchQuery;
  userId: number | null;
  after: SearchPlace | null;
  limit: number;
  now: Date;
}

/**
 * Returns one page of matches, ordered by relevance and then by quality. It searches for typos only if there are few exact
 * matches.
 * @throws 422 if `after` is not a valid cursor of this search
 */
export async function searchProfiles(db: Db, { query, userId, after, limit, now }: Asked): Promise<Page> {
  const steps = query.q === undefined ? { near: [''], far: null } : buildSearchSteps(db, query.q);
  const filters = steps && (await buildFilterQuery(db, query));
  if (steps === null || filters === null) return { rows: [], next: null };
  const where = buildRangeConditions(query, now);
  if (userId !== null) {
    where.push(sql`${profileSearch.userId} <> all(array(
      select blocked_id from ${blocks} where blocker_id = ${userId} union all
      select blocker_id from ${blocks} where blocked_id = ${userId}))`);
  }

  const asked = [...steps.near];
  const columns = sql`profile_id, quality, card, active_on >= ${firstDay(now)} as is_active_lately`;
  const widest = [steps.near.at(-1) ?? '', ...filters].filter((part) => part !== '');
  const widestWalk = await planWalk(db, { tokens: widest, where, limit: limit + 1 });
  // The last step includes those before it: if few match it, few match each of them.
  const getMaxWalk = (step: number) => {
    if (widestWalk === 0 || step >= steps.near.length) return 0;
    return steps.near.length === 1 ? widestWalk : undefined;
  };
  // The previous page had already reached the typo steps, whatever the number of results.
  if (after !== null && after.step >= asked.length && steps.far !== null) asked.push(...(await steps.far()));
  if (after !== null && after.step >= asked.length) throw invalidCursor();
  const found: { step: number; row: FoundRow }[] = [];
  let count = after?.found ?? 0;
  for (let step = after?.step ?? 0; found.length <= limit; step += 1) {
    if (step === asked.length) {
      const goesOn = steps.far !== null && asked.length === steps.near.length && count < MIN_EXACT_MATCHES;
      if (!goesOn) break;
      asked.push(...(await steps.far()));
    }
    const closer = asked.slice(0, step).map((each) => `!${each}`);
    const tokens = [asked[step]!, ...closer, ...filters].filter((part) => part !== '');
    const place = after?.step === step ? after : null;
    const query = { tokens, where, after: place, limit: limit + 1 - found.length };
    const rows = await readMatches<FoundRow>(db, columns, query, getMaxWalk(step));
    found.push(...rows.map((row) => ({ step, row })));
    count += rows.length;
  }
  return present(db, { userId, found: found.slice(0, limit), isMore: found.length > limit, before: after?.found ?? 0 });
}

async function present(
  db: Db,
  {
    userId,
    found,
    isMore,
    before,
  }: { userId: number | null; found: { step: number; row: FoundRow }[]; isMore: boolean; before: number },
): Promise<Page> {
  const last = found.at(-1);
  if (last === undefined) return { rows: [], next: null };
  const { verified, saved } = await readCurrentState(
    db,
    userId,
    found.map(({ row }) => Number(row.profile_id)),
  );
  const rows = found.flatMap(({ row: { profile_id, card, is_active_lately } }): SearchRow[] => {
    const id = Number(profile_id);
    const office = verified.get(id);
    if (office === undefined) return [];
    return [{ ...card, verified: office, facts: { ...card.facts, is_active_lately, is_saved: saved.has(id) ? 1 : 0 } }];
  });
  const { step, row } = last;
  const next = { step, quality: row.quality, id: Number(row.profile_id), found: before + found.length };
  return { rows, next: isMore ? next : null };
}
