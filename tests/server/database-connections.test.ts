import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

test('ends only the transaction whose connection dies between two queries', async () => {
  const { db } = testServer.app.deps;
  const lost = db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    // Another connection terminates the one of this transaction. The call returns once that backend is gone.
    await db.execute(sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
    await tx.execute(sql`select 1`);
  });
  await expect(lost).rejects.toThrow();
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test('releases the connection of a transaction that fails to begin', async () => {
  const { db, pool } = testServer.database;
  const before = pool.totalCount;
  // Runs more often than the pool has connections: if each failure leaked one, the last would wait forever.
  for (let n = 0; n < 12; n += 1) {
    const refused = db.transaction(async () => undefined, { isolationLevel: 'no such level' as 'serializable' });
    await expect(refused).rejects.toThrow();
  }
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount - pool.idleCount).toBe(0);
  expect(pool.totalCount).toBeLessThanOrEqual(Math.max(1, before));
});

test('does not report a transaction as committed after it swallowed the error of a statement', async () => {
  const { db } = testServer.database;
  const work = db.transaction(async (tx) => {
    await tx.execute(sql`select 1 / 0`).catch(() => undefined);
  });
  await expect(work).rejects.toThrow('The transaction was rolled back');
});

test('rolls a transaction back together with the one inside it', async () => {
  const { db } = testServer.database;
  await db.execute(sql`create table if not exists joined (n integer)`);
  const work = db.transaction(async (tx) => {
    await tx.transaction(async (inner) => inner.execute(sql`insert into joined values (1)`));
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect((await db.execute(sql`select n from joined`)).rows).toEqual([]);
  await db.execute(sql`drop table joined`);
});
