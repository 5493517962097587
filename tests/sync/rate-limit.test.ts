import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { readHold } from '#db/queries.ts';
import { startRateLimit, getRateLimitMs } from '#sync/send/rate-limit.ts';

let db: AccountDb;
let now: number;
const clock = { now: () => now, after: () => () => undefined };

beforeEach(() => {
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  now = 100_000;
});
afterEach(() => db.close());

it('keeps the longer of two rate limits, also after the clock went back', async () => {
  await startRateLimit({ db, clock }, 30_000);
  now += 10_000;
  await startRateLimit({ db, clock }, 5000);
  expect(await getRateLimitMs(db, now)).toBe(20_000);
  await startRateLimit({ db, clock }, 40_000);
  expect(await getRateLimitMs(db, now)).toBe(40_000);
  // A limit set while the clock ran ahead is ignored.
  now -= 60_000;
  await startRateLimit({ db, clock }, 5000);
  expect(await getRateLimitMs(db, now)).toBe(5000);
});

it('goes on reading while the account is suspended, except during a rate limit of its own', async () => {
  await startRateLimit({ db, clock }, 300_000, true);
  expect(await getRateLimitMs(db, now, true)).toBe(0);
  await startRateLimit({ db, clock }, 10_000);
  expect([await getRateLimitMs(db, now), await getRateLimitMs(db, now, true)]).toEqual([300_000, 10_000]);
  now += 10_000;
  expect([await getRateLimitMs(db, now), await getRateLimitMs(db, now, true)]).toEqual([290_000, 0]);
  expect(await readHold(db, now)).toMatchObject({ isSuspended: true });
});

it('does not read during a rate limit in which the account was suspended', async () => {
  await startRateLimit({ db, clock }, 10_000);
  await startRateLimit({ db, clock }, 300_000, true);
  expect([await getRateLimitMs(db, now), await getRateLimitMs(db, now, true)]).toEqual([300_000, 10_000]);
});
