/** Runs in the browser: the people stored on a device and the search among them. */
import type { SearchRow } from '#contract/records/search.ts';
import { AccountDb } from '#db/database.ts';
import { saveSearchHits, listFoundPeople } from '#db/found-people.ts';
import { type SearchablePerson, matchPeople } from '#lib/match-people.ts';
import { parseFilters } from '#lib/search-filters.ts';

const db = new AccountDb('app:bench:finding', '1');
let people: SearchablePerson[] = [];

const page = {
  async fill(rows: SearchRow[]): Promise<void> {
    await saveSearchHits(db, rows, Date.now());
  },

  /** Reads everybody once for all searches. Returns milliseconds. */
  async read(): Promise<number> {
    const startedAt = performance.now();
    people = await listFoundPeople(db);
    return performance.now() - startedAt;
  },

  /** Runs one search. Returns milliseconds and the number of matches. */
  search(query: string): [ms: number, found: number] {
    const startedAt = performance.now();
    const found = matchPeople(people, parseFilters(new URLSearchParams(query)), () => undefined);
    return [performance.now() - startedAt, found.length];
  },

  /** Looks for one text in the data of everybody. Returns milliseconds. */
  bare(text: string): number {
    const startedAt = performance.now();
    people.filter(({ names, main, credits }) => (names + main + credits).includes(text));
    return performance.now() - startedAt;
  },
};

export type FindingPage = typeof page;
declare global {
  interface Window {
    findingPage: FindingPage;
  }
}
window.findingPage = page;
