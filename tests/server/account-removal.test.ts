import { expect, test } from 'vitest';
import { eraseAccount } from '#server/features/account/erase.ts';
import { removePerson } from '#server/features/account/remove.ts';
import { getSettings } from '#server/features/account/store.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { runWrite } from '#server/platform/http/write.ts';
import { FEED_MESSAGE_DAYS, trimOldMessages } from '#server/read-models/sync/retention.ts';
import { getFeedHead } from '#server/read-models/sync/store.ts';
import { connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { addPerformer } = viewerCalls(testServer);

const DAY_MS = 86_400_000;
const MESSAGES = 2500;

/** Two people with a long conversation, of which both have each message in their feed. */
async function addTalk() {
  const [leaving, staying] = [await addPerformer(), await addPerformer()];
  await connect(testServer, leaving, staying);
  const { pool } = testServer.database;
  const { rows } = await pool.query<{ id: string }>('select id from conversations where first_id = $1', [leaving.id]);
  const conversationId = rows[0]!.id;
  await pool.query(
    `insert into messages (conversation_id, seq, sender_id, receiver_id, message, created_at)
     select $1::bigint, last_seq + n, $2::bigint, $3::bigint, 'Line ' || n, $4::timestamptz
     from conversations, generate_series(1, $5::int) n where id = $1`,
    [conversationId, leaving.id, staying.id, testServer.clock.now(), MESSAGES],
  );
  await pool.query('update conversations set last_seq = last_seq + $2 where id = $1', [conversationId, MESSAGES]);
  for (const { id } of [leaving, staying]) {
    await pool.query(
      `insert into sync_records (user_id, type, record_id, seq)
       select users.id, 'message', messages.id, sync_seq + row_number() over (order by messages.seq)
       from users, messages where users.id = $1 and conversation_id = $2`,
      [id, conversationId],
    );
    await pool.query('update users set sync_seq = sync_seq + 2 * $2 where id = $1', [id, MESSAGES]);
  }
  return { leaving, staying };
}

/** Deletes the account as a server does that stops right after its first transaction. */
const startDeletion = (person: Person) =>
  runWrite(testServer.database.db, testServer.clock.now, null, async ({ tx, changes }) => {
    await removePerson(tx, changes, Number(person.id), testServer.clock.now());
    return { status: 200, body: null };
  });

/** Counts what a deleted account left behind. */
async function countRest({ id }: Person) {
  const { rows } = await testServer.database.pool.query<Record<string, number>>(
    `select (select count(*)::int from conversations where $1 in (first_id, second_id)) as conversations,
       (select count(*)::int from messages where $1 in (sender_id, receiver_id)) as messages,
       (select count(*)::int from sync_records where user_id = $1) as feed`,
    [id],
  );
  return rows[0]!;
}
const NOTHING = { conversations: 0, messages: 0, feed: 0 };

/** A database that fails at the given transaction, as if the server stopped there. */
function stopAt(count: number): Db {
  const { db } = testServer.database;
  let started = 0;
  const transaction: Db['transaction'] = (...args) => {
    started += 1;
    return started < count ? db.transaction(...args) : Promise.reject(new Error('The server stopped'));
  };
  return Object.assign(Object.create(db) as Db, { transaction });
}

test('hides a person at once whose messages are still to be removed', async () => {
  const { leaving, staying } = await addTalk();
  await startDeletion(leaving);
  expect(await countRest(leaving)).toMatchObject({ conversations: 1 });
  const { email, password } = leaving;
  expect((await testServer.call('POST /login', { body: { email, password } })).status).toBe(422);
  expect((await testServer.call('GET /user', { token: leaving.token })).status).toBe(401);
  const { token } = staying;
  expect((await testServer.call('GET /conversations', { token })).body).toEqual([]);
  expect((await testServer.call(`GET /profile/details/${leaving.profileId}`, { token })).status).toBe(404);
  expect((await testServer.call(`POST /connections/request/${leaving.id}`, { token })).status).toBe(404);
  const { body } = await testServer.call<{ records: { type: string; body: unknown }[] }>('GET /sync', { token });
  expect(body.records.filter(({ type, body: record }) => type === 'message' && record !== null)).toEqual([]);
});

test('finishes deletions that were interrupted, whatever was removed already', async () => {
  const { leaving, staying } = await addTalk();
  await startDeletion(leaving);
  for (const count of [1, 2, 2]) {
    await expect(eraseAccount(stopAt(count), Number(leaving.id))).rejects.toThrow('The server stopped');
  }
  const rest = await countRest(leaving);
  expect(rest.messages).toBeGreaterThan(0);
  expect(rest.messages).toBeLessThan(MESSAGES);
  await testServer.runJobs();
  expect(await countRest(leaving)).toEqual(NOTHING);
  expect((await testServer.call('GET /user', { token: staying.token })).status).toBe(200);
  await eraseAccount(testServer.database.db, Number(leaving.id));
});

test('removes everything when several nodes and the removal of old messages run at once', async () => {
  const { leaving, staying } = await addTalk();
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  const { db } = testServer.database;
  const trim = () => trimOldMessages(db, testServer.clock.now());
  const { token, password } = await testServer.signIn(leaving);
  const [deleted] = await Promise.all([
    testServer.call('DELETE /account', { token, body: { password } }),
    trim(),
    trim(),
  ]);
  expect(deleted.status).toBe(200);
  const erase = () => eraseAccount(db, Number(leaving.id));
  await Promise.all([erase(), erase(), trim()]);
  expect(await countRest(leaving)).toEqual(NOTHING);
  await testServer.database.pool.query('update users set sync_trimmed_on = null');
  await trim();
  const { rows } = await testServer.database.pool.query(
    `select 1 from sync_records where user_id = $1 and type = 'message'`,
    [staying.id],
  );
  expect(rows).toEqual([]);
});

test('a request that is under way when the account is deleted is answered like one of a person who is signed out', async () => {
  const { db } = testServer.database;
  const gone = Number((await testServer.join()).id);
  await runWrite(
    db,
    () => testServer.clock.now(),
    null,
    async ({ tx, changes }) => {
      await removePerson(tx, changes, gone, testServer.clock.now());
      return { status: 200, body: {} };
    },
  );
  for (const read of [getFeedHead, getSettings]) await expect(read(db, gone)).rejects.toMatchObject({ status: 401 });
});

test('two deletions of one account that are under way at once delete it once', async () => {
  const person = await testServer.join();
  const { token, password } = person;
  const remove = () => testServer.call('DELETE /account', { token, body: { password } });
  const answers = await Promise.all([remove(), remove(), remove()]);
  const [deleted, ...rest] = answers.map(({ status }) => status).sort();
  expect([deleted, new Set(rest)]).toEqual([200, new Set([401])]);
  await expect(startDeletion(person)).rejects.toMatchObject({ status: 401 });
});
