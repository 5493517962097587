import { asc, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkAudit } from '#server/features/desk/audit.ts';
import { setOperator } from '#server/features/desk/operator.ts';
import { audit } from '#server/platform/db/schema.ts';
import { deskCalls } from './support/desk.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
const { joinDesk, act, ask, undo } = deskCalls(testServer);
const IN_A_WEEK = '2026-11-28T09:00:00.000Z';

test('keeps every act and undoing in a chain that a check follows', async () => {
  const { db } = testServer.database;
  const noor = await joinDesk('moderator');
  const vik = await testServer.join('Vik Anand');
  const done = await act(noor, 'suspend', 'user', vik.id, { until: IN_A_WEEK });
  expect(done).toMatchObject({ act: 'suspend', actor: 'Noor Kaur', target_user_id: vik.id, can_undo: true });
  const undone = await undo(noor, done);
  expect(undone.status).toBe(201);
  expect(undone.body.data).toMatchObject({ act: 'suspend.undo', undoes: done.id, can_undo: false });
  const rows = await db.select().from(audit).orderBy(asc(audit.id));
  expect(rows.map(({ id }) => id)).toEqual(rows.map((_, at) => at + 1));
  expect(rows[1]?.previousHash).toBe(rows[0]?.hash);
  expect(await checkAudit(db)).toMatchObject({ ok: true, count: rows.length, lastHash: rows.at(-1)?.hash });
});

test('numbers acts without gaps when several are done at once, and one of them fails', async () => {
  const { db } = testServer.database;
  const noor = await joinDesk('moderator');
  const people = await Promise.all(Array.from({ length: 6 }, (_, at) => testServer.join(`Person ${at}`)));
  const answers = await Promise.all([
    ...people.map(({ id }) => ask(noor, 'suspend', 'user', id, { until: IN_A_WEEK })),
    ask(noor, 'suspend', 'user', noor.id, { until: IN_A_WEEK }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 422]);
  expect(await checkAudit(db)).toMatchObject({ ok: true });
});

test.each(['update audit set words = null', 'delete from audit', 'truncate audit'])(
  'refuses “%s”',
  async (statement) => {
    const { db } = testServer.database;
    await setOperator(db, (await testServer.join()).email, true, testServer.clock.now());
    await expect(db.execute(sql.raw(statement))).rejects.toThrow();
  },
);

test('finds an entry that was changed, one that was cut out, and one that was put in', async () => {
  const { db } = testServer.database;
  for (const name of ['One', 'Two', 'Three']) {
    await setOperator(db, (await testServer.join(name)).email, true, testServer.clock.now());
  }
  const tamper = async (statement: string) => {
    const found = await db
      .transaction(async (tx) => {
        await tx.execute(sql`grant update, delete on audit to current_user`);
        await tx.execute(sql`alter table audit disable trigger user`);
        await tx.execute(sql.raw(statement));
        const result = await checkAudit(tx);
        throw Object.assign(new Error('rolled back'), { result });
      })
      .catch((error: { result?: unknown }) => error.result);
    return found;
  };
  const last = await db.$count(audit);
  expect(await tamper(`update audit set actor_name = 'Nobody' where id = ${last - 1}`)).toMatchObject({
    ok: false,
    id: last - 1,
    problem: 'was changed',
  });
  expect(await tamper(`delete from audit where id = ${last - 1}`)).toMatchObject({
    id: last - 1,
    problem: 'is missing',
  });
  expect(await tamper(`update audit set previous_hash = hash where id = ${last}`)).toMatchObject({
    id: last,
    problem: 'does not follow the one before it',
  });
  expect(await checkAudit(db)).toMatchObject({ ok: true });
});
