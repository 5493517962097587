import type { Connection, ProfileCard } from '#contract/records/people.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { SearchFacts, SearchRow } from '#contract/records/search.ts';
import { type SearchablePerson, toSearchable } from '#lib/match-people.ts';
import { readBlocked } from './blocked-people.ts';
import type { AccountDb } from './database.ts';
import { loadLookup } from './lookups.ts';
import type { CachedProfilePage } from './rows.ts';
import { getAddress } from './cached-pages.ts';

/** Maximum number of stored search hits. Beyond it, those seen longest ago are deleted. */
const MOST = 5000;
/** Maximum number of recent searches. */
const SEARCHES = 8;

const pageOf = (row: Pick<SearchRow, 'slug' | 'profile_type'>) => getAddress(row.slug, row.profile_type.slug);

async function industryNames(db: AccountDb): Promise<Map<string, string>> {
  return new Map((await loadLookup(db, 'industries')).map(({ id, name }) => [id, name]));
}

/** Stores search hits, so that they can be found offline. */
export async function saveSearchHits(db: AccountDb, rows: readonly SearchRow[], at: number): Promise<void> {
  if (rows.length === 0) return;
  const industries = await industryNames(db);
  const seen = rows.map((row) => ({
    address: pageOf(row),
    at,
    person: toSearchable({ row, industry: industries.get(row.facts?.profile_industry_id ?? '') }),
  }));
  await db.transaction('rw', db.seen, async () => {
    await db.seen.bulkPut(seen);
    const spare = (await db.seen.count()) - MOST;
    if (spare > 0) await db.seen.bulkDelete(await db.seen.orderBy('at').limit(spare).primaryKeys());
  });
}

const text = (value: unknown) => (typeof value === 'string' ? value : null);
const id = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** Builds the searchable data of a person from their cached profile page. */
function visitedPerson(
  { profile: record, rows }: CachedProfilePage,
  industries: ReadonlyMap<string, string>,
): SearchablePerson {
  const profile = record as Profile;
  const attribute = (key: string) =>
    text(rows.attribute?.find((row) => row.attribute_key === key)?.attribute_value?.toString());
  const media = rows.media ?? [];
  const metadata = (key: string) => [
    ...new Set(
      media.flatMap(({ metadata: all }) =>
        (Array.isArray(all) ? (all as { key: string; value: string }[]) : [])
          .filter((each) => each.key === key)
          .map((each) => each.value),
      ),
    ),
  ];
  const height = Number(attribute('Height') ?? NaN);
  const facts: SearchFacts = {
    user_id: String(profile.user_id),
    name: profile.user.name,
    min_age_range: profile.min_age_range,
    max_age_range: profile.max_age_range,
    profile_industry_id: id(profile.profile_industry_id),
    languages: (rows.language ?? []).map((row) => ({ id: String(row.language_id), name: text(row.name) ?? '' })),
    skills: (rows.skill ?? []).map((row) => ({ name: text(row.name) ?? '', level: Number(row.level) || 1 })),
    height: Number.isFinite(height) ? height : null,
    hair: attribute('Hair'),
    eyes: attribute('Eyes'),
    accents: metadata('language_accent'),
    voice_languages: metadata('media_language'),
    has_reel: media.some(({ media_type }) => ['video', 'youtube', 'audio'].includes(String(media_type))),
    // A profile page does not contain this.
    is_active_lately: false,
    is_saved: profile.is_saved,
  };
  const { title, stage_name, location, profile_type, profile_photo, slug } = profile;
  return toSearchable({
    row: { id: String(profile.id), title, stage_name, location, profile_type, profile_photo, slug, facts },
    industry: industries.get(facts.profile_industry_id ?? ''),
    credits: (rows.experience ?? []).flatMap((row) => [
      text(row.experience_title),
      text(row.details),
      text(row.production_details),
    ]),
    spoken: [...(rows.job_role ?? []), ...(rows.voice_characteristic ?? [])].map((row) => text(row.name)),
  });
}

/** Converts a connection to a search result; null for a person without a profile page, who cannot be shown. */
function connectedRow({ name, title, address, profile_photo, slug, profile_type }: Connection): SearchRow | null {
  if (slug === null || profile_type === null) return null;
  return { id: '', title, stage_name: name, location: address, profile_type, profile_photo, slug };
}

async function bodiesOf<T>(db: AccountDb, type: string): Promise<T[]> {
  const records = await db.records.where('[type+id]').between([type, ''], [type, '\uffff']).toArray();
  return records.map(({ body }) => body as T);
}

/**
 * Everybody who can be found offline: connections, saved profiles, earlier search hits and cached profile pages. A
 * later source in this order replaces an earlier one, because it knows more about a person. Omits whom the user has blocked.
 */
export async function listFoundPeople(db: AccountDb): Promise<SearchablePerson[]> {
  const industries = await industryNames(db);
  const people = new Map<string, SearchablePerson>();
  const rows = [
    ...(await bodiesOf<Connection>(db, 'connection')).map(connectedRow),
    ...(await bodiesOf<ProfileCard>(db, 'saved_profile')),
  ];
  for (const row of rows) if (row) people.set(pageOf(row), toSearchable({ row }));
  for (const { address, person } of await db.seen.toArray()) people.set(address, person);
  for (const page of await db.visited.toArray()) {
    const known = people.get(page.address)?.row.facts;
    const person = visitedPerson(page, industries);
    if (known && person.row.facts) person.row.facts.is_active_lately = known.is_active_lately;
    people.set(page.address, person);
  }
  const isBlocked = await readBlocked(db);
  return [...people.values()].filter(({ row }) => !isBlocked(row.slug, row.facts?.user_id));
}

/** The recent searches, newest first. */
export async function readRecentSearches(db: AccountDb): Promise<string[]> {
  const row = await db.meta.get('searches');
  return row?.k === 'searches' ? row.words : [];
}

/** Stores a search, and deletes stored ones that are a prefix of it ('mee' before 'meera'). */
export async function saveSearch(db: AccountDb, words: string): Promise<void> {
  const wanted = words.trim().replace(/\s+/g, ' ');
  if (wanted.length < 2) return;
  const isBefore = (each: string) => wanted.toLowerCase().startsWith(each.toLowerCase());
  await db.transaction('rw', db.meta, async () => {
    const rest = (await readRecentSearches(db)).filter((each) => !isBefore(each));
    await db.meta.put({ k: 'searches', words: [wanted, ...rest].slice(0, SEARCHES) });
  });
}

export async function clearSearches(db: AccountDb): Promise<void> {
  await db.meta.delete('searches');
}
