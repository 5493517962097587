import { count, gt, isNull, lte, or, sql } from 'drizzle-orm';
import {
  MIN_GROUP_SIZE,
  type CityCount,
  type DemandShare,
  type IndustryRates,
  type Insights,
  type RateBand,
} from '#contract/records/insights.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  connections,
  industries,
  insightFigures,
  languages,
  profiles,
  savedProfiles,
  sectionRows,
  users,
} from '#server/platform/db/schema.ts';
import {
  disclose,
  mergeNeighbors,
  quantile,
  roundDownToGroup,
  toShare,
  toTwoSignificantFigures,
} from './disclosure.ts';

/** Lower bounds of the experience bands, in years since the first credit. */
const BANDS = [0, 2, 5, 10];
/** Smallest group whose quartiles are published; those of smaller groups would reveal individual rates. */
const MIN_PEOPLE_FOR_QUARTILES = 2 * MIN_GROUP_SIZE;
const DEMAND_DAYS = 180;
/** Statement timeout. No request waits for it, so it may exceed request timeouts. */
const STATEMENT_TIMEOUT_MS = 5 * 60_000;
/** Maximum number of bars per chart. */
const MAX_BARS = { industries: 12, cities: 12, demand: 10 };

/** The day rates of a group of people with similar experience. */
interface Rated {
  people: number;
  from_years: number;
  below_years: number | null;
  /** Ascending. */
  rates: number[];
}

const mergeRated = (a: Rated, b: Rated): Rated => ({
  people: a.people + b.people,
  from_years: Math.min(a.from_years, b.from_years),
  below_years: a.below_years === null || b.below_years === null ? null : Math.max(a.below_years, b.below_years),
  rates: [...a.rates, ...b.rates].sort((one, other) => one - other),
});

function toRates({
  people,
  rates,
}: Pick<Rated, 'people' | 'rates'>): Pick<RateBand, 'people' | 'median' | 'low' | 'high'> {
  const at = (place: number) => toTwoSignificantFigures(quantile(rates, place));
  const hasHalf = people >= MIN_PEOPLE_FOR_QUARTILES;
  return {
    people: roundDownToGroup(people),
    median: at(0.5),
    low: hasHalf ? at(0.25) : null,
    high: hasHalf ? at(0.75) : null,
  };
}

/** One industry, or several merged, with all of its bands in order. */
interface Industry {
  name: string | null;
  people: number;
  bands: Rated[];
}

const emptyBands = (): Rated[] =>
  BANDS.map((from_years, place) => ({ people: 0, from_years, below_years: BANDS[place + 1] ?? null, rates: [] }));

function presentIndustry({ name, people, bands }: Industry): IndustryRates {
  const rates = bands.flatMap((band) => band.rates).sort((a, b) => a - b);
  return {
    name,
    ...toRates({ people, rates }),
    bands: mergeNeighbors(bands, mergeRated).map((band) => ({
      from_years: band.from_years,
      below_years: band.below_years,
      ...toRates(band),
    })),
  };
}

/** Each person counts once, by their oldest profile with a day rate. */
async function readRates(db: Db, now: Date): Promise<IndustryRates[]> {
  const month = now.getUTCFullYear() * 12 + now.getUTCMonth();
  const { rows } = await db.execute<{ name: string | null; band: number; rates: number[] }>(sql`
    with rated as (
      select distinct on (user_id) user_id, industry_id, per_day from ${profiles}
      where is_shown and per_day > 0 and user_id not in (select id from ${users} where is_minor) order by user_id, created_at, id
    ), begun as (
      select p.user_id, min((body->>'start_year')::int * 12 + (body->>'start_month')::int - 1) as month
      from ${sectionRows} r join ${profiles} p on p.id = r.profile_id
      where r.section = 'experience' and p.is_shown and p.user_id in (select user_id from rated)
      group by p.user_id
    )
    select i.name, width_bucket(coalesce((${month} - month) / 12, 0), ${sql.param(BANDS.slice(1))}::int[]) as band,
      array_agg(per_day order by per_day) as rates
    from rated left join begun using (user_id) left join ${industries} i on i.id = rated.industry_id
    group by i.name, band order by i.name, band`);
  const found = new Map<string | null, Industry>();
  for (const { name, band, rates } of rows) {
    const industry = found.get(name) ?? { name, people: 0, bands: emptyBands() };
    industry.people += rates.length;
    industry.bands = industry.bands.map((each, place) =>
      place === band ? { ...each, people: rates.length, rates } : each,
    );
    found.set(name, industry);
  }
  const named = [...found.values()].filter(({ name }) => name !== null);
  const ofNone = found.get(null);
  const { shown, rest } = disclose(named, { maxGroups: MAX_BARS.industries, ungrouped: ofNone?.people ?? 0 });
  const others = [...rest, ...(ofNone ? [ofNone] : [])].reduce(
    (all: Industry, each) => ({
      name: null,
      people: all.people + each.people,
      bands: all.bands.map((band, place) => mergeRated(band, each.bands[place] ?? band)),
    }),
    { name: null, people: 0, bands: emptyBands() },
  );
  return [...shown, ...(others.people >= MIN_GROUP_SIZE ? [others] : [])].map(presentIndustry);
}

/** Each person counts once, by their oldest profile with a location. */
async function readCities(db: Db): Promise<CityCount[]> {
  // Use only 'Pune' of 'Pune, India', ignoring case; the most common spelling is shown.
  const { rows } = await db.execute<{ name: string | null; people: number }>(sql`
    with homes as (
      select distinct on (user_id) nullif(regexp_replace(trim(split_part(location, ',', 1)), '\\s+', ' ', 'g'), '') as city
      from ${profiles} where is_shown
      order by user_id, (coalesce(split_part(location, ',', 1), '') !~ '\\S'), created_at, id
    )
    select mode() within group (order by city) as name, count(*)::int as people from homes group by lower(city)
    order by name`);
  const ungrouped = rows.find(({ name }) => name === null)?.people ?? 0;
  const named = rows.filter(({ name }) => name !== null);
  const { shown, rest } = disclose(named, { maxGroups: MAX_BARS.cities, ungrouped });
  const elsewhere = rest.reduce((all, { people }) => all + people, ungrouped);
  return [...shown, ...(elsewhere >= MIN_GROUP_SIZE ? [{ name: null, people: elsewhere }] : [])].map(
    ({ name, people }) => ({ name, people: roundDownToGroup(people) }),
  );
}

/** Languages and skills of people whom others recently saved or asked to connect, over all of their shown profiles. */
async function readDemand(db: Db, now: Date): Promise<Insights['demand']> {
  const since = new Date(now.getTime() - DEMAND_DAYS * 24 * 60 * 60_000).toISOString();
  const wanted = sql`
    wanted as materialized (
      select p.id, p.user_id from ${profiles} p where p.is_shown and p.user_id in (
        select receiver_id from ${connections} where created_at > ${since}
        union
        select saved.user_id from ${savedProfiles} s join ${profiles} saved on saved.id = s.profile_id
        where s.created_at > ${since} and s.user_id <> saved.user_id
      )
    )`;
  const counted = await db.execute<{ people: number }>(
    sql`with ${wanted} select count(distinct user_id)::int as people from wanted`,
  );
  const people = counted.rows[0]?.people ?? 0;
  const nothing = { days: DEMAND_DAYS, people: 0, languages: [], skills: [] };
  if (people < MIN_GROUP_SIZE) return nothing;
  const spoken = await db.execute<{ name: string; people: number }>(sql`
    with ${wanted}
    select l.name, count(distinct wanted.user_id)::int as people
    from wanted join ${sectionRows} r on r.profile_id = wanted.id and r.section = 'language'
    join ${languages} l on l.id::text = r.body->>'language_id'
    group by l.name having count(distinct wanted.user_id) >= ${MIN_GROUP_SIZE}
    order by people desc, l.name limit ${MAX_BARS.demand}`);
  const able = await db.execute<{ name: string; people: number }>(sql`
    with ${wanted}, named as (
      select wanted.user_id, regexp_replace(trim(r.body->>'name'), '\\s+', ' ', 'g') as name
      from wanted join ${sectionRows} r on r.profile_id = wanted.id and r.section = 'skill'
    )
    select mode() within group (order by name) as name, count(distinct user_id)::int as people
    from named group by lower(name) having count(distinct user_id) >= ${MIN_GROUP_SIZE}
    order by people desc, name limit ${MAX_BARS.demand}`);
  const shares = (rows: { name: string; people: number }[]): DemandShare[] =>
    rows.map((row) => ({ name: row.name, share: toShare(row.people, people) }));
  return {
    days: DEMAND_DAYS,
    people: roundDownToGroup(people),
    languages: shares(spoken.rows),
    skills: shares(able.rows),
  };
}

/** Computes the statistics over all active profiles. No group of fewer than five people is published or can be derived. */
function readInsights(db: Db, now: Date): Promise<Insights> {
  return db.transaction(
    async (tx) => {
      // These queries read whole tables; without statistics the planner would choose nested loops.
      await tx.execute(sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
        set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`);
      return {
        as_of: now.toISOString().slice(0, 10),
        rates: await readRates(tx, now),
        demand: await readDemand(tx, now),
        cities: await readCities(tx),
      };
    },
    // Use one snapshot: comparing figures of two moments could reveal individuals.
    { accessMode: 'read only', isolationLevel: 'repeatable read' },
  );
}

/** Returns the stored figures, or null if there are none yet. */
export async function readStoredInsights(db: Db): Promise<{ figures: Insights; madeAt: Date } | null> {
  const [kept] = await db.select().from(insightFigures);
  return kept ?? null;
}

/** Recomputes the figures and stores them for all nodes. */
export async function refreshInsights(db: Db, now: Date): Promise<Insights> {
  const figures = await readInsights(db, now);
  await db
    .insert(insightFigures)
    .values({ figures, madeAt: now })
    .onConflictDoUpdate({ target: insightFigures.id, set: { figures, madeAt: now } });
  return figures;
}

/** Older figures are recomputed. */
const MAX_INSIGHTS_AGE_MS = 10 * 60_000;

/** Whether figures made then need not be recomputed yet. A time far in the future comes from a wrong clock. */
export const areInsightsFresh = (madeAt: Date, now: Date): boolean =>
  Math.abs(now.getTime() - madeAt.getTime()) < MAX_INSIGHTS_AGE_MS;

/**
 * Claims the next computation, so that one node does it, and none repeats it for a while when it fails. A claim dated far in the future
 * comes from a wrong clock and is ignored.
 */
export async function claimRefresh(db: Db, now: Date): Promise<boolean> {
  const { claimedAt } = insightFigures;
  const at = (ms: number) => new Date(now.getTime() + ms);
  const isFree = or(
    isNull(claimedAt),
    lte(claimedAt, at(-MAX_INSIGHTS_AGE_MS)),
    gt(claimedAt, at(MAX_INSIGHTS_AGE_MS)),
  );
  const claimed = await db
    .update(insightFigures)
    .set({ claimedAt: now })
    .where(isFree)
    .returning({ id: insightFigures.id });
  return claimed.length > 0;
}

/** With fewer profiles, a request computes the figures in moments. */
const MIN_PROFILES_TO_PREPARE = 5000;

/**
 * Computes the figures ahead of the first visitor, for whom they would take too long with many profiles.
 * @param minProfiles with fewer profiles, it does nothing
 */
export async function prepareInsights(db: Db, now: Date, minProfiles = MIN_PROFILES_TO_PREPARE): Promise<void> {
  const kept = await readStoredInsights(db);
  if (kept !== null && areInsightsFresh(kept.madeAt, now)) return;
  const some = db.select({ id: profiles.id }).from(profiles).limit(minProfiles).as('some');
  const [found] = await db.select({ profiles: count() }).from(some);
  if ((found?.profiles ?? 0) >= minProfiles) await refreshInsights(db, now);
}
