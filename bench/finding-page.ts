/** Runs in the browser: the people kept on a device, and the search among them. */
import type { SearchRow } from '#contract/records/search.ts';
import { AccountDb } from '#db/database.ts';
import { saveSearchHits, listFoundPeople } from '#db/found-people.ts';
import { type KeptPerson, matchPeople } from '#lib/match-people.ts';
import { filtersOf } from '#lib/search-filters.ts';

const db = new AccountDb('app:bench:finding', '1');
let people: KeptPerson[] = [];

const page = {
  async fill(rows: SearchRow[]): Promise<void> {
    await saveSearchHits(db, rows, Date.now());
  },

  /** Milliseconds to read everybody, once for all searches. */
  async read(): Promise<number> {
    const startedAt = performance.now();
    people = await listFoundPeople(db);
    return performance.now() - startedAt;
  },

  /** Milliseconds of one search, and how many it found. */
  search(query: string): [ms: number, found: number] {
    const startedAt = performance.now();
    const found = matchPeople(people, filtersOf(new URLSearchParams(query)), () => undefined);
    return [performance.now() - startedAt, found.length];
  },

  /** Milliseconds of looking once for a text in what is known of everybody. */
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
