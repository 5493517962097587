import { expect, test } from 'vitest';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { addRecordTypes, FIRST_MESSAGES } from '#server/read-models/sync/store.ts';
import { deleteOldTombstones, FEED_MESSAGE_DAYS, trimOldMessages } from '#server/read-models/sync/retention.ts';
import { addSkill, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { addPerformer } = viewerCalls(testServer);

const DAY_MS = 86_400_000;

interface Page {
  records: { type: string; id: string; parent: string | null; body: Record<string, unknown> | null }[];
  cursor: string;
  has_more: boolean;
}

const pull = (person: Person, cursor?: string) =>
  testServer.call<Page>(`GET /sync${cursor === undefined ? '' : `?cursor=${cursor}`}`, { token: person.token });

/** The messages that a device has. */
class Device {
  readonly messages = new Map<string, string>();
  cursor: string | undefined;
  /** @returns how often it had to pull everything again */
  async catchUp(person: Person): Promise<number> {
    for (let restarts = 0; ;) {
      const { status, body, text } = await pull(person, this.cursor);
      if (status === 410) {
        restarts += 1;
        this.cursor = undefined;
        continue;
      }
      if (status !== 200) throw new Error(text);
      for (const { type, id, body: message } of body.records) {
        if (type === 'message' && message) this.messages.set(id, String(message.message));
      }
      this.cursor = body.cursor;
      if (!body.has_more) return restarts;
    }
  }
}

type Performer = Awaited<ReturnType<typeof addPerformer>>;

interface Talk {
  a: Performer;
  b: Performer;
  /** Sends this many messages from `a` to `b`. */
  say(count: number): Promise<void>;
}

/** Two people with an empty conversation. */
async function addTalk(): Promise<Talk> {
  const [a, b] = [await addPerformer(), await addPerformer()];
  await connect(testServer, a, b);
  const { body } = await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token });
  let said = 0;
  const say = async (count: number) => {
    const { token } = await testServer.signIn(a);
    for (let n = 0; n < count; n += 1) {
      const sent = await testServer.call('POST /chat/send', {
        token,
        body: { conversation_id: body[0]!.conversation_id, receiver_id: b.id, message: `Line ${(said += 1)}` },
      });
      if (sent.status >= 300) throw new Error(sent.text);
    }
  };
  return { a, b, say };
}

const trim = () => trimOldMessages(testServer.database.db, testServer.clock.now());
const countMessages = async ({ id }: Person) => {
  const { rows } = await testServer.database.pool.query<{ n: number }>(
    `select count(*)::int as n from sync_records where user_id = $1 and type = 'message'`,
    [id],
  );
  return rows[0]!.n;
};
const textsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `Line ${from + n}`);

test('removes messages from feeds that are neither recent nor among the newest of their conversation', async () => {
  const { a, b, say } = await addTalk();
  await say(FIRST_MESSAGES + 10);
  testServer.clock.advance((FEED_MESSAGE_DAYS - 1) * DAY_MS);
  await trim();
  expect([await countMessages(a), await countMessages(b)]).toEqual([FIRST_MESSAGES + 10, FIRST_MESSAGES + 10]);
  testServer.clock.advance(8 * DAY_MS);
  await say(5);
  await trim();
  expect([await countMessages(a), await countMessages(b)]).toEqual([FIRST_MESSAGES, FIRST_MESSAGES]);
  const device = new Device();
  expect(await device.catchUp(await testServer.signIn(b))).toBe(0);
  expect([...device.messages.values()]).toEqual(textsOf(16, FIRST_MESSAGES + 15));
});

test('answers 410 only to devices that lack a removed message', async () => {
  const { b, say } = await addTalk();
  const away = new Device();
  await away.catchUp(b);
  const early = away.cursor;
  await say(5);
  await away.catchUp(b);
  await say(FIRST_MESSAGES);
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  const later = await testServer.signIn(b);
  await trim();
  expect((await pull(later, early)).status).toBe(410);
  expect(await away.catchUp(later)).toBe(0);
  expect([...away.messages.values()]).toEqual(textsOf(1, FIRST_MESSAGES + 5));
});

test('continues a paged first pull while messages are removed', async () => {
  const { b, say } = await addTalk();
  await say(FIRST_MESSAGES + 10);
  for (let n = 0; n < 205; n += 1) await addSkill(testServer, b, b.profileId, `Skill ${n}`);
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  const later = await testServer.signIn(b);
  const first = await pull(later);
  expect(first.body.has_more).toBe(true);
  await say(3);
  await trim();
  const device = new Device();
  device.cursor = first.body.cursor;
  expect(await device.catchUp(later)).toBe(0);
  expect([...device.messages.values()].slice(-3)).toEqual(textsOf(FIRST_MESSAGES + 11, FIRST_MESSAGES + 13));
});

test('brings every message once to devices that pull while messages are written and removed', async () => {
  const { b, say } = await addTalk();
  await say(FIRST_MESSAGES + 20);
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  const later = await testServer.signIn(b);
  const device = new Device();
  await device.catchUp(later);
  let isTalking = true;
  const talking = Promise.all([say(40), say(40)]).finally(() => (isTalking = false));
  while (isTalking) {
    await testServer.database.pool.query('update users set sync_trimmed_on = null where id = $1', [b.id]);
    await Promise.all([trim(), device.catchUp(later)]);
  }
  await talking;
  expect(await device.catchUp(later)).toBe(0);
  const [from, to] = [21, FIRST_MESSAGES + 100];
  expect([...device.messages.values()].sort()).toEqual(textsOf(from, to).sort());
});

test('removes messages of deleted conversations without asking devices to pull everything again', async () => {
  const { a, b, say } = await addTalk();
  const device = new Device();
  await device.catchUp(b);
  await say(FIRST_MESSAGES + 1);
  const gone = await testServer.call('DELETE /account', { token: a.token, body: { password: a.password } });
  expect([gone.status, await countMessages(b)]).toEqual([200, FIRST_MESSAGES + 1]);
  await testServer.runJobs();
  await trim();
  expect(await countMessages(b)).toBe(0);
  expect(await device.catchUp(b)).toBe(0);
});

test('looks through a feed once a week', async () => {
  const { b, say } = await addTalk();
  await say(FIRST_MESSAGES + 10);
  testServer.clock.advance((FEED_MESSAGE_DAYS - 3) * DAY_MS);
  await trim();
  testServer.clock.advance(6 * DAY_MS);
  await trim();
  expect(await countMessages(b)).toBe(FIRST_MESSAGES + 10);
  testServer.clock.advance(DAY_MS);
  await trim();
  expect(await countMessages(b)).toBe(FIRST_MESSAGES);
});

test('looks through a feed again that a wrong clock marked for the future', async () => {
  const { b, say } = await addTalk();
  await say(FIRST_MESSAGES + 10);
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  await testServer.database.pool.query(`update users set sync_trimmed_on = '2099-01-01' where id = $1`, [b.id]);
  await trim();
  expect(await countMessages(b)).toBe(FIRST_MESSAGES);
});

test('lets several nodes remove the same messages at once', async () => {
  const { a, b, say } = await addTalk();
  await say(FIRST_MESSAGES + 30);
  testServer.clock.advance((FEED_MESSAGE_DAYS + 1) * DAY_MS);
  await Promise.all([trim(), trim(), trim()]);
  expect([await countMessages(a), await countMessages(b)]).toEqual([FIRST_MESSAGES, FIRST_MESSAGES]);
  const device = new Device();
  expect(await device.catchUp(await testServer.signIn(b))).toBe(0);
  expect([...device.messages.values()]).toEqual(textsOf(31, FIRST_MESSAGES + 30));
});

test('names the conversation of each message as its parent', async () => {
  const { a, say } = await addTalk();
  await say(1);
  const { records } = (await pull(a)).body;
  const conversation = records.find(({ type }) => type === 'conversation');
  expect(records.find(({ type }) => type === 'message')).toMatchObject({
    parent: conversation?.id,
    body: { conversation_id: conversation?.id },
  });
});

test('keeps the feed of a person whose record was written again after its tombstone expired', async () => {
  const person = await addPerformer();
  const { db } = testServer.database;
  const write = (isDeleted: boolean) =>
    db.transaction(async (tx) => {
      const changes = new ChangeLog();
      changes[isDeleted ? 'recordDeletion' : 'recordChange'](Number(person.id), 'skill', '987654', null);
      await changes.flush(tx, testServer.clock.now());
    });
  await write(true);
  const { cursor } = (await pull(person)).body;
  testServer.clock.advance(181 * DAY_MS);
  await write(false);
  await deleteOldTombstones(db, testServer.clock.now());
  const later = await testServer.signIn(person);
  expect((await pull(later, cursor)).body.records).toMatchObject([{ type: 'skill', id: '987654' }]);
});

test('records changes of a type that is newer than the database', async () => {
  const person = await addPerformer();
  const { db } = testServer.database;
  await addRecordTypes(db, ['skill', 'stunt']);
  await addRecordTypes(db, ['stunt']);
  const { cursor } = (await pull(person)).body;
  await db.transaction(async (tx) => {
    const changes = new ChangeLog();
    changes.recordDeletion(Number(person.id), 'stunt', '7', '9');
    await changes.flush(tx, testServer.clock.now());
  });
  expect((await pull(person, cursor)).body.records).toEqual([{ type: 'stunt', id: '7', parent: '9', body: null }]);
});
