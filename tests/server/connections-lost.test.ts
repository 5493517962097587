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
