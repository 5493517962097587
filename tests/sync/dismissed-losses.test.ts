import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, it } from 'vitest';
import type { LostRecord } from '#contract/records/devices.ts';
import { AccountDb } from '#db/database.ts';
import { forgetLost, readLost, storeLost } from '#db/lost-devices.ts';

const loss = (id: string): LostRecord => ({
  id,
  name: 'Chrome on Android',
  kinds: { edit: 2 },
  since: '2026-11-17T10:00:00.000Z',
  heard_at: '2026-11-17T10:00:00.000Z',
  certain: true,
  at_least: false,
  current: false,
});
const [phone, laptop] = [loss('1'), loss('2')];

let db: AccountDb;
const answer = (before: readonly LostRecord[], answered: readonly LostRecord[]) =>
  db.transaction('rw', db.meta, () => storeLost(db, before, answered));
const getIds = async () => (await readLost(db)).map(({ id }) => id);

beforeEach(() => {
  db = new AccountDb('losses', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});

it('a loss that is dismissed while the server is asked does not come back with the answer', async () => {
  await answer([], [phone, laptop]);
  const before = await readLost(db);
  await forgetLost(db, phone.id);
  await answer(before, [phone, laptop]);
  expect(await getIds()).toEqual([laptop.id]);
});

it('neither does the only one, of which nothing is left', async () => {
  await answer([], [phone]);
  const before = await readLost(db);
  await forgetLost(db, phone.id);
  await answer(before, [phone]);
  expect(await getIds()).toEqual([]);
  // What is lost later is told.
  await answer(await readLost(db), [phone]);
  expect(await getIds()).toEqual([phone.id]);
});

it('keeps what this device noticed itself, and forgets what the server has forgotten', async () => {
  await db.meta.put({ k: 'lost', devices: [] });
  await answer([], []);
  expect(await db.meta.get('lost')).toEqual({ k: 'lost', devices: [] });
  await answer([], [phone]);
  await answer(await readLost(db), []);
  expect(await db.meta.get('lost')).toBeUndefined();
});
