import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { getCachedResult, subscribeCached } from '#shared/queries/query-cache.ts';
// What a failed read fetches: loaded beforehand, for on a busy machine that takes longer than the test waits.
import '#open-store/store-loss.ts';

let db: AccountDb;
let reads: number;
beforeEach(() => {
  // A name of its own: the open queries of the test before would read a store of the same name again.
  db = new AccountDb(`lasting-views-${crypto.randomUUID()}`, '1');
  reads = 0;
});
afterEach(() => db.delete());

const cities = async (on: AccountDb): Promise<string[]> => {
  reads += 1;
  return (await on.records.where('[type+id]').between(['city', ''], ['city', '\uffff']).toArray()).map(({ id }) => id);
};
const add = (id: string) => db.records.put({ type: 'city', id, parent: null, body: {}, version: 1 });
const shown = (key = 'cities') => {
  const answer = getCachedResult<string[]>(db, key);
  return answer && 'value' in answer ? answer.value : undefined;
};
const look = (key = 'cities', query = cities) => subscribeCached(db, { name: 'cities', key }, query, () => undefined);

it('is there at once when its page is opened again and nothing has changed, without a further read', async () => {
  await add('Nagpur');
  const leave = look();
  await vi.waitFor(() => expect(shown()).toEqual(['Nagpur']));
  leave();
  expect(shown()).toEqual(['Nagpur']);
  look()();
  expect(reads).toBe(1);
});

it('is gone after a change that nobody saw, and says it when it is read again', async () => {
  await add('Nagpur');
  const leave = look();
  await vi.waitFor(() => expect(shown()).toEqual(['Nagpur']));
  leave();
  await add('Pune');
  await vi.waitFor(() => expect(shown()).toBeUndefined());
  look();
  await vi.waitFor(() => expect(shown()).toEqual(['Nagpur', 'Pune']));
});

it('asks the store no more once it is gone', async () => {
  const leave = look();
  await vi.waitFor(() => expect(shown()).toEqual([]));
  leave();
  await add('Nagpur');
  await vi.waitFor(() => expect(shown()).toBeUndefined());
  const before = reads;
  await add('Pune');
  const other = look('other');
  await vi.waitFor(() => expect(shown('other')).toEqual(['Nagpur', 'Pune']));
  expect(reads).toBe(before + 1);
  other();
});

it('lets go of what stood under the same name when another is opened', async () => {
  const leave = look();
  await vi.waitFor(() => expect(shown()).toEqual([]));
  leave();
  look('other');
  expect(shown()).toBeUndefined();
});

it('follows changes while it has subscribers', async () => {
  const leave = look();
  const leaveToo = look();
  await vi.waitFor(() => expect(shown()).toEqual([]));
  leave();
  await add('Nagpur');
  await vi.waitFor(() => expect(shown()).toEqual(['Nagpur']));
  leaveToo();
});

it('keeps no failure beyond its readers', async () => {
  const leave = look('cities', async () => {
    await Promise.resolve();
    throw new Error('It is broken');
  });
  await vi.waitFor(() => expect(getCachedResult(db, 'cities')).toMatchObject({ error: { message: 'It is broken' } }));
  leave();
  expect(getCachedResult(db, 'cities')).toBeUndefined();
});
