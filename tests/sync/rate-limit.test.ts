import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { startRateLimit, getRateLimitMs } from '#sync/send/rate-limit.ts';

it('keeps the longer of two rate limits, also after the clock went back', async () => {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  let now = 100_000;
  const clock = { now: () => now, after: () => () => undefined };
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
  db.close();
});
