import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { retryOnStorageLoss, isStorageFailure } from '#sync/storage-error.ts';

let db: AccountDb;

beforeEach(async () => {
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  await db.visited.bulkAdd([1, 2].map((n) => ({ address: `/${n}`, id: `${n}`, openedAt: n }) as never));
});

/** Aborts the transaction as soon as the pending request has been issued. */
function abort(): void {
  const { idbtrans } = Dexie.currentTransaction;
  queueMicrotask(() => idbtrans.abort());
}

/** Each calls `underWay` once its request has been issued. */
const changes: Record<string, (underWay: () => void) => Promise<unknown>> = {
  'one row': (underWay) => db.visited.update('/1', (row) => (underWay(), void (row.openedAt = 5))),
  'many rows': (underWay) => db.visited.toCollection().modify((row) => (underWay(), void (row.openedAt = 5))),
  'rows of a list'(underWay) {
    const put = db.visited.bulkPut([{ address: '/1', id: '1', openedAt: 5 } as never]);
    underWay();
    return put;
  },
};

it.each(Object.entries(changes))('retries an aborted change of %s', async (_, change) => {
  let tries = 0;
  const work = () => db.transaction('rw', db.visited, async () => change(() => void ((tries += 1) === 1 && abort())));
  await retryOnStorageLoss(db, work);
  expect((await db.visited.get('/1'))?.openedAt).toBe(5);

  tries = 0;
  const error: unknown = await work().catch((thrown: unknown) => thrown);
  expect(isStorageFailure(error), String(error)).toBe(true);
});
