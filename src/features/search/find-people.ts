import { Dexie } from 'dexie';
import { CALLS } from '#contract/calls.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { SearchRow } from '#contract/records/search.ts';
import { SEARCH_CALLS } from '#contract/search-calls.ts';
import { saveSearchHits, listFoundPeople } from '#db/found-people.ts';
import { loadLookup } from '#db/lookups.ts';
import type { AccountDb } from '#db/database.ts';
import { type SearchablePerson, matchPeople, type NameOf, toSearchable } from '#lib/match-people.ts';
import { FILTERS, type SearchFilters } from '#lib/search-filters.ts';
import { type AppError, toAppError } from '#net/app-error.ts';
import { read, type Read } from '#net/client.ts';

/** Where the results come from. `listed`: the list of profiles of a server that has no search. */
export type ResultSource = 'server' | 'listed' | 'device';
export type SearchResult =
  /** `error`: why the server did not answer the search, if the people are from this device. */
  | { status: 'loaded'; source: ResultSource; rows: SearchRow[]; cursor: string | null; error?: AppError }
  /** The server refused the query. */
  | { status: 'refused'; error: AppError };

/** Returns the filters as a query string, always in the same order. */
export function toQueryString(filters: SearchFilters): string {
  const query = new URLSearchParams();
  for (const name of FILTERS) if (filters[name] !== undefined) query.set(name, filters[name]);
  return query.toString();
}

const findNoName: NameOf = () => undefined;

async function loadNames(db: AccountDb): Promise<NameOf> {
  const lists = {
    accent: await loadLookup(db, 'language_accents'),
    voice_language: await loadLookup(db, 'media_languages'),
  };
  return (filter, id) => lists[filter].find((each) => each.id === id)?.name;
}

/** Tables that `listFoundPeople` reads. */
const PEOPLE_TABLES = new Set(['seen', 'visited', 'records', 'outbox']);
const cachedPeople = new Map<string, Promise<SearchablePerson[]>>();

// A change of these tables drops the cache. Without it, every keystroke would read thousands of rows.
Dexie.on('storagemutated', (parts) => {
  for (const part of Object.keys(parts)) {
    const [, name = '', table = ''] = /^idb:\/\/(.+)\/(\w+)\/[^/]*$/.exec(part) ?? [];
    if (PEOPLE_TABLES.has(table)) cachedPeople.delete(name);
  }
});

/** Returns everybody stored on this device, read once until one of the tables changes. */
function readCachedPeople(db: AccountDb): Promise<SearchablePerson[]> {
  const people = cachedPeople.get(db.name) ?? listFoundPeople(db);
  cachedPeople.set(db.name, people);
  people.catch(() => cachedPeople.delete(db.name));
  return people;
}

/** Searches the people stored on this device. */
async function searchDevice(db: AccountDb | null, filters: SearchFilters, error: AppError): Promise<SearchResult> {
  if (db === null) return { status: 'loaded', source: 'device', rows: [], cursor: null, error };
  const people = await readCachedPeople(db);
  const rows = matchPeople(people, filters, await loadNames(db)).map(({ row }) => row);
  return { status: 'loaded', source: 'device', rows, cursor: null, error };
}

const MAX_LISTED = 5000;
const LISTED_PAGE_SIZE = '100';

const toSearchRow = ({ id, user_id, user, ...profile }: Profile): SearchRow => {
  const { title, stage_name, location, profile_type, profile_photo, slug } = profile;
  const { min_age_range, max_age_range, profile_industry_id, is_saved } = profile;
  return {
    id: String(id),
    title,
    stage_name,
    location,
    profile_type,
    profile_photo,
    slug,
    facts: {
      user_id: String(user_id),
      name: user.name,
      min_age_range,
      max_age_range,
      profile_industry_id: profile_industry_id === null ? null : String(profile_industry_id),
      languages: [],
      skills: [],
      height: null,
      hair: null,
      eyes: null,
      accents: [],
      voice_languages: [],
      has_reel: false,
      is_active_lately: false,
      is_saved,
    },
  };
};

/** The loaded list of each account, and of visitors, which stays until the page is closed. The server shows each their own. */
const listedPeople = new WeakMap<object, Promise<SearchablePerson[] | AppError>>();
const VISITOR_KEY = {};

/** The error of an answer that succeeded, but is not a list. */
const UNREADABLE = toAppError(500, null, null);

/** Loads the profiles of a server that has no search, or the error if a request fails. */
async function loadListed(): Promise<SearchablePerson[] | AppError> {
  const people: SearchablePerson[] = [];
  for (let cursor: string | null = ''; cursor !== null && people.length < MAX_LISTED;) {
    const page: URLSearchParams = new URLSearchParams({ limit: LISTED_PAGE_SIZE, ...(cursor && { cursor }) });
    const answer: Read<Profile[]> = await read(`${CALLS.profiles.path}?${page}`);
    if (!answer.ok) return answer.error;
    if ('same' in answer || !Array.isArray(answer.data)) return UNREADABLE;
    people.push(
      ...answer.data
        .filter(({ status }) => status === 'active')
        .map((each) => toSearchable({ row: toSearchRow(each) })),
    );
    cursor = answer.next;
  }
  return people;
}

/** Searches the list of profiles of a server that has no search. */
async function searchListed(db: AccountDb | null, filters: SearchFilters): Promise<SearchResult> {
  const key = db ?? VISITOR_KEY;
  const listed = listedPeople.get(key) ?? loadListed();
  listedPeople.set(key, listed);
  const people = await listed;
  if (!Array.isArray(people)) {
    listedPeople.delete(key);
    return searchDevice(db, filters, people);
  }
  // The list has few facts, so people whom this device knows better replace their entry.
  const stored = db === null ? [] : await readCachedPeople(db);
  const known = new Map(stored.map((person) => [person.row.id, person]));
  const all = people.map((person) => known.get(person.row.id) ?? person);
  const rows = matchPeople(all, filters, db === null ? findNoName : await loadNames(db)).map(({ row }) => row);
  return { status: 'loaded', source: 'listed', rows, cursor: null };
}

interface SearchRequest {
  db: AccountDb | null;
  filters: SearchFilters;
  /** The page size. */
  limit: number;
  cursor?: string | null;
}

/** Whether the server is reachable and refused the query. Its message is shown instead of people from this device. */
const isRefusal = ({ reason }: AppError) => reason === 'invalid' || reason === 'too many';

/**
 * Searches for people on the server. If the server has no search, searches its list of profiles; if it cannot be reached, the
 * people stored on this device.
 */
export async function findPeople({ db, filters, limit, cursor }: SearchRequest): Promise<SearchResult> {
  const page = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
  const query = [toQueryString(filters), page].filter(Boolean).join('&');
  const answer = await read<SearchRow[]>(`${SEARCH_CALLS.search.path}?${query}`);
  if (answer.ok && !('same' in answer) && Array.isArray(answer.data)) {
    if (db !== null) {
      // Only a cache: the results are shown even if they cannot be stored.
      saveSearchHits(db, answer.data, Date.now()).catch((error: unknown) =>
        console.warn('Search results could not be cached', error),
      );
    }
    return { status: 'loaded', source: 'server', rows: answer.data, cursor: answer.next };
  }
  if (!answer.ok && answer.error.reason === 'missing') return searchListed(db, filters);
  if (!answer.ok && isRefusal(answer.error)) return { status: 'refused', error: answer.error };
  return searchDevice(db, filters, answer.ok ? UNREADABLE : answer.error);
}
