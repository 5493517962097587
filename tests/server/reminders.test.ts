import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { remindPerformers } from '#server/features/auditions/remind.ts';
import { castingCalls, type Performer } from './support/casting.ts';
import { tapeCalls } from './support/tapes.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { addPerformer, addProject, addRole, ask, cast, castingCall, change, must, read, say } = castingCalls(testServer);
const { announce } = tapeCalls(testServer);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now = () => testServer.clock.now().getTime();
const inHours = (hours: number) => new Date(now() + hours * HOUR_MS).toISOString();
const SHORT = { waivers: [{ rule: 'notice', text: 'The director flies out on Friday.' }] };

interface Reminder {
  subject_id: string;
  alert: string;
  data: object;
  mail_waits_since: Date | null;
}

/** Runs the job and returns the reminders that a performer has. */
async function remind({ id }: Person): Promise<Reminder[]> {
  await remindPerformers(testServer.database.db, testServer.clock.now());
  const { rows } = await testServer.database.pool.query<Reminder>(
    "select subject_id, alert, data, mail_waits_since from notifications where type = 'audition.reminder' and user_id = $1",
    [id],
  );
  return rows;
}

/** Asks at this moment, so that the deadline is `hours` away, and lets all but `left` of them pass. */
async function askFor(hours: number, left: number) {
  const [owner, performer] = [await testServer.join('Tideline Casting'), await addPerformer()];
  const role = await addRole(owner, await addProject(owner));
  const request = await ask(owner, role, performer, { ...SHORT, deadline_at: inHours(hours) });
  testServer.clock.advance((hours - left) * HOUR_MS);
  return { owner, performer, role, request };
}

test('a performer is reminded a day and two hours before the deadline, once each, in the app, by push and by mail', async () => {
  const { performer, request } = await askFor(100, 25);
  testServer.clock.advance(59 * MINUTE_MS);
  expect(await remind(performer)).toEqual([]);
  testServer.clock.advance(MINUTE_MS);
  const first = await remind(performer);
  expect(first).toEqual([
    {
      subject_id: request.id,
      alert: expect.any(String),
      data: { audition_id: request.id, text: expect.stringContaining('Naseem') },
      mail_waits_since: testServer.clock.now(),
    },
  ]);
  testServer.clock.advance(21 * HOUR_MS);
  expect(await remind(performer)).toEqual(first);
  testServer.clock.advance(HOUR_MS);
  // Nobody has read the first one. The second is told nevertheless.
  const second = await remind(performer);
  expect(second).toMatchObject([{ subject_id: request.id, mail_waits_since: testServer.clock.now() }]);
  expect(second[0]!.alert).not.toBe(first[0]!.alert);
  testServer.clock.advance(5 * MINUTE_MS);
  expect(await remind(performer)).toEqual(second);
});

test('two nodes that look at the same moment remind once', async () => {
  const { performer } = await askFor(100, 24);
  const { pool } = testServer.database;
  const alerts = new Set<string>();
  for (const reminders of await Promise.all([1, 2, 3].map(() => remind(performer)))) {
    for (const { alert } of reminders) alerts.add(alert);
  }
  for (const { alert } of await remind(performer)) alerts.add(alert);
  expect(alerts.size).toBe(1);
  const { rows } = await pool.query('select 1 from audition_requests where reminded_until = $1', [
    testServer.clock.now(),
  ]);
  expect(rows).toHaveLength(1);
});

test('after a long pause of the server there is one reminder, and none after the deadline', async () => {
  const [over, soon] = [await askFor(100, -1), await askFor(100, 1)];
  expect(await remind(over.performer)).toEqual([]);
  expect(await remind(soon.performer)).toHaveLength(1);
});

test.each([
  ['less than a day to go comes without the reminder of a day', 20, 19, 0],
  ['less than a day to go is reminded of two hours before', 20, 2, 1],
  ['less than two hours to go is not reminded of', 1.5, 0.5, 0],
])('a request with %s', async (_, hours, left, count) => {
  const { performer } = await askFor(hours, left);
  expect(await remind(performer)).toHaveLength(count);
});

test('a deadline that moves has reminders of its own, but none for a moment that has passed', async () => {
  const { owner, performer, request } = await askFor(100, 24);
  const [first] = await remind(performer);
  testServer.clock.advance(12 * HOUR_MS);
  // Now the deadline is 20 hours away.
  const moved = await change(owner, request.id, { deadline_at: inHours(20) });
  expect(moved.status).toBe(200);
  testServer.clock.advance(MINUTE_MS);
  expect(await remind(performer)).toEqual([first]);
  expect((await change(owner, request.id, { deadline_at: inHours(72) })).status).toBe(200);
  testServer.clock.advance(48 * HOUR_MS);
  const [second] = await remind(performer);
  testServer.clock.advance(22 * HOUR_MS);
  const [third] = await remind(performer);
  expect(new Set([first!.alert, second!.alert, third!.alert]).size).toBe(3);
});

test.each<[string, (scene: Awaited<ReturnType<typeof askFor>>) => Promise<unknown>]>([
  ['has declined', ({ performer, request }) => say(performer, request.id, 'decline')],
  ['has announced a tape', ({ performer, request }) => announce(performer, request.id)],
  ['has heard no', ({ owner, request }) => castingCall(owner, request.id, 'answer', { kind: 'no_thank_you' })],
  ['is pencilled', ({ owner, request }) => castingCall(owner, request.id, 'answer', { kind: 'pencil' })],
  ['is called back', ({ owner, request }) => castingCall(owner, request.id, 'answer', { kind: 'callback' })],
  ['was told that the request is withdrawn', ({ owner, request }) => castingCall(owner, request.id, 'withdraw')],
  ['was asked for a role that is cast', ({ owner, role }) => cast(owner, role.id)],
  [
    'was asked for a role that is closed',
    ({ owner, role }) => must(owner, `PUT /casting/roles/${role.id}`, { status: 'closed' }),
  ],
])('a performer who %s is not reminded', async (_, happen) => {
  const scene = await askFor(100, 30);
  await happen(scene);
  testServer.clock.advance(6 * HOUR_MS);
  expect(await remind(scene.performer)).toEqual([]);
  testServer.clock.advance(22 * HOUR_MS);
  expect(await remind(scene.performer)).toEqual([]);
});

test('a performer who was asked for a callback is reminded of that alone, and of the first request again once it is withdrawn', async () => {
  const { owner, performer, role, request } = await askFor(100, 30);
  const later = { round: 'callback', previous_id: request.id, ...SHORT, deadline_at: inHours(31) };
  const callback = await ask(owner, role, performer, later);
  testServer.clock.advance(8 * HOUR_MS);
  expect(await remind(performer)).toMatchObject([{ subject_id: callback.id }]);
  await castingCall(owner, callback.id, 'withdraw');
  testServer.clock.advance(20 * HOUR_MS);
  expect(await remind(performer)).toMatchObject([{ subject_id: request.id }]);
});

test('a performer who says yes after a no is reminded of what is still to come', async () => {
  const { performer, request } = await askFor(100, 30);
  await say(performer, request.id, 'decline');
  testServer.clock.advance(10 * HOUR_MS);
  await say(performer, request.id, 'confirm');
  expect(await remind(performer)).toEqual([]);
  testServer.clock.advance(18 * HOUR_MS);
  expect(await remind(performer)).toHaveLength(1);
});

test('a reminder is read once a tape is announced, and gone once the request is withdrawn', async () => {
  const readAt = async (performer: Performer) =>
    (
      await testServer.database.pool.query<{ read_at: Date | null }>(
        "select read_at from notifications where type = 'audition.reminder' and user_id = $1",
        [performer.id],
      )
    ).rows.map(({ read_at }) => read_at);
  const taped = await askFor(100, 24);
  await remind(taped.performer);
  expect(await readAt(taped.performer)).toEqual([null]);
  await announce(taped.performer, taped.request.id, { clientId: randomUUID() });
  expect(await readAt(taped.performer)).toEqual([testServer.clock.now()]);
  const { owner, performer, request } = await askFor(100, 24);
  await remind(performer);
  await castingCall(owner, request.id, 'withdraw');
  expect(await readAt(performer)).toEqual([]);
});

test('neither side reads anything of a reminder in the request', async () => {
  const { owner, performer } = await askFor(100, 24);
  const readBoth = async () => [await read(owner, 'request'), await read(performer, 'audition')];
  const before = await readBoth();
  expect(await remind(performer)).toHaveLength(1);
  expect(await readBoth()).toEqual(before);
});
