import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SearchRow } from '#contract/records/search.ts';
import { AccountDb } from '#db/database.ts';
import { clearSearches, saveSearchHits, listFoundPeople, saveSearch, readRecentSearches } from '#db/found-people.ts';
import { deleteCachedPage, saveCachedPage } from '#db/cached-pages.ts';

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('kept people', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => db.close());

const TYPE = { id: '1', name: 'Actor / Performer', slug: 'actor-performer' };
const row = (slug: string, fields: Partial<SearchRow> = {}): SearchRow => ({
  id: slug,
  title: null,
  stage_name: slug,
  location: null,
  profile_type: TYPE,
  profile_photo: null,
  slug,
  ...fields,
});
const names = async () => (await listFoundPeople(db)).map((each) => each.row.stage_name).sort();

test('lists each person from searches, connections, saved and opened profiles once, with the best known data', async () => {
  await saveSearchHits(db, [row('asha'), row('bina', { title: 'Old title' })], 1);
  await db.records.bulkPut([
    {
      type: 'connection',
      id: '7',
      parent: null,
      version: null,
      body: { name: 'chitra', title: null, address: 'Pune', profile_photo: null, slug: 'chitra', profile_type: TYPE },
    },
    {
      type: 'connection',
      id: '8',
      parent: null,
      version: null,
      body: { name: 'hidden', slug: null, profile_type: null },
    },
    { type: 'saved_profile', id: 'asha', parent: null, version: null, body: { ...row('asha') } },
  ]);
  await saveCachedPage(db, {
    address: 'bina/actor-performer',
    id: 'bina',
    profile: {
      ...row('bina', { title: 'New title' }),
      user_id: '9',
      user: { id: '9', name: 'Bina Das' },
      min_age_range: 20,
      max_age_range: 30,
      profile_industry_id: null,
      is_saved: 0,
    },
    rows: {
      skill: [{ name: 'Mime', level: 2 }],
      attribute: [{ attribute_key: 'Height', attribute_value: '171.5' }],
      experience: [{ experience_title: 'Paper Boats', details: 'Mother', production_details: null }],
      media: [{ media_type: 'audio', metadata: [{ key: 'language_accent', value: 'Scottish' }] }],
    },
    others: [],
    tags: {},
    openedAt: 2,
  });
  expect(await names()).toEqual(['asha', 'bina', 'chitra']);
  const bina = (await listFoundPeople(db)).find((each) => each.row.slug === 'bina');
  expect(bina?.row).toMatchObject({
    title: 'New title',
    facts: { height: 171.5, skills: [{ name: 'Mime', level: 2 }], has_reel: true, accents: ['Scottish'] },
  });
  expect(bina?.credits).toBe(' paper boats mother ');
});

test('removes a person whose profile page is gone', async () => {
  await saveSearchHits(db, [row('asha'), row('bina')], 1);
  await deleteCachedPage(db, 'asha/actor-performer');
  expect(await names()).toEqual(['bina']);
});

test('evicts the people seen longest ago beyond 5,000', async () => {
  const some = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(`p${from + n}`));
  await saveSearchHits(db, some(0, 3000), 1);
  await saveSearchHits(db, some(3000, 2000), 2);
  await saveSearchHits(db, some(0, 10), 3);
  await saveSearchHits(db, some(9000, 20), 4);
  expect(await db.seen.count()).toBe(5000);
  const kept = new Set(await db.seen.toCollection().primaryKeys());
  expect(kept.has('p0/actor-performer')).toBe(true);
  expect(kept.has('p9019/actor-performer')).toBe(true);
  expect(kept.has('p3000/actor-performer')).toBe(true);
});

test('remembers recent searches without their prefixes until they are deleted', async () => {
  for (const words of ['m', 'meera', ' meera  kulkarni ', 'kathak', 'Kathak pune']) await saveSearch(db, words);
  expect(await readRecentSearches(db)).toEqual(['Kathak pune', 'meera kulkarni']);
  for (let n = 0; n < 12; n += 1) await saveSearch(db, `word${'abcdefghijkl'[n]}`);
  expect(await readRecentSearches(db)).toHaveLength(8);
  await clearSearches(db);
  expect(await readRecentSearches(db)).toEqual([]);
});
