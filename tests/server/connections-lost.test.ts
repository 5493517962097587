import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useStage } from './support/stage.ts';

const stage = useStage();

test('a connection that dies between two queries of a transaction ends that transaction and nothing else', async () => {
  const { db } = stage.app.deps;
  const lost = db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    // The caller's own connection, ended by another one; it answers once that process is gone.
    await db.execute(sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`);
    await tx.execute(sql`select 1`);
  });
  await expect(lost).rejects.toThrow();
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

test('a transaction that cannot even begin gives its connection back', async () => {
  const { db, pool } = stage.database;
  const before = pool.totalCount;
  // As many as there are connections, and more: a pool that lost one with each would keep the last of them waiting.
  for (let n = 0; n < 12; n += 1) {
    const refused = db.transaction(async () => undefined, { isolationLevel: 'no such level' as 'serializable' });
    await expect(refused).rejects.toThrow();
  }
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount - pool.idleCount).toBe(0);
  expect(pool.totalCount).toBeLessThanOrEqual(Math.max(1, before));
});
