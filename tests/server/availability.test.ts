import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DayRecord, SeenDay } from '#contract/records/availability.ts';
import { addDays, type DayValue, NOT_STATED } from '#contract/casting/availability.ts';
import { deletePastDays, endExpiredDays } from '#server/features/availability/tidy.ts';
import { castingCalls, type Performer } from './support/casting.ts';
import { colleagueCalls } from './support/colleagues.ts';
import { block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { unzip } from './support/unzip.ts';

const testServer = useTestServer();
const { addPerformer, ask, addProject, addRole, cast, castingCall, createScene, read, say, send } =
  castingCalls(testServer);

const { addColleague, addInvited, remove } = colleagueCalls(testServer);

const HOUR_MS = 3_600_000;
const now = () => testServer.clock.now();
const today = () => now().toISOString().slice(0, 10);
const inDays = (days: number) => addDays(today(), days);
const inHours = (hours: number) => new Date(now().getTime() + hours * HOUR_MS).toISOString();

interface Answer {
  status: number;
  body: { message: string; data: DayRecord[]; conflicts: DayRecord[]; errors?: Record<string, string[]> };
}
const put = (person: Person, days: object[], headers: Record<string, string> = {}) =>
  testServer.call<Answer['body']>('PUT /availability', { token: person.token, body: { days }, headers });
const value = (state: DayValue['state'], more: Partial<DayValue> = {}): DayValue => ({ ...NOT_STATED, state, ...more });
const pull = async (person: Person) =>
  (await read<DayRecord>(person, 'availability')).sort((a, b) => a.date.localeCompare(b.date));

describe('days of a person', () => {
  test('are stored, pulled and listed', async () => {
    const person = await testServer.join();
    const { status, body } = await put(person, [
      { date: inDays(3), state: 'held', note: ' The Salt Road ', expires_at: inHours(30) },
      { date: inDays(2), state: 'free' },
    ]);
    expect(status).toBe(200);
    expect(body.conflicts).toEqual([]);
    expect(body.data).toMatchObject([
      { id: inDays(3).replaceAll('-', ''), date: inDays(3), state: 'held', note: 'The Salt Road', version: 1 },
      { date: inDays(2), state: 'free', note: null, other: null },
    ]);
    expect(await pull(person)).toEqual(body.data.toReversed());
    const list = await testServer.call<{ data: DayRecord[] }>(`GET /availability?from=${inDays(3)}`, {
      token: person.token,
    });
    expect(list.body.data).toEqual([body.data[0]]);
  });

  test('that nothing is said about any more keep a growing version', async () => {
    const person = await testServer.join();
    const date = inDays(1);
    await put(person, [{ date, state: 'free' }]);
    const removed = await put(person, [{ date, state: null, base: value('free') }]);
    expect(removed.body.data).toMatchObject([{ state: null, version: 2 }]);
    const again = await put(person, [{ date, state: 'booked' }]);
    expect(again.body.data).toMatchObject([{ state: 'booked', version: 3 }]);
  });

  test('do not get a new version where nothing changes, and are the same when a request is repeated', async () => {
    const person = await testServer.join();
    const days = [{ date: inDays(1), state: 'free' }];
    const key = { 'idempotency-key': randomUUID() };
    const first = await put(person, days, key);
    expect((await put(person, days, key)).body).toEqual(first.body);
    expect((await put(person, days)).body.data).toEqual(first.body.data);
  });

  test('that two devices changed keep the stronger state and the other beside it, until somebody looks', async () => {
    const person = await testServer.join();
    const [date, untouched] = [inDays(1), inDays(2)];
    await put(person, [{ date, state: 'booked', note: 'Ad' }]);
    const { body } = await put(person, [
      { date, state: 'pencilled', note: 'Film' },
      { date: untouched, state: 'free' },
    ]);
    const marked = { date, state: 'booked', note: 'Ad', other: { state: 'pencilled', note: 'Film' } };
    expect(body.data).toMatchObject([marked, { date: untouched, state: 'free', other: null }]);
    expect(body.conflicts).toMatchObject([marked]);
    const base = value('booked', { note: 'Ad' });
    expect((await put(person, [{ date, ...base, base, looked: true }])).body.data).toMatchObject([{ other: null }]);
  });

  test('that two devices add at the same moment are merged', async () => {
    const person = await testServer.join();
    const dates = Array.from({ length: 10 }, (_, n) => inDays(n));
    await Promise.all(
      ['free', 'held', 'booked'].map((state) =>
        put(
          person,
          dates.map((date) => ({ date, state })),
        ),
      ),
    );
    expect(await pull(person)).toEqual(
      dates.map((date) => expect.objectContaining({ date, state: 'booked', other: expect.anything() }) as unknown),
    );
  });

  test('lie within a year back and three years ahead', async () => {
    const person = await testServer.join();
    const { status, body } = await put(person, [
      { date: inDays(-400), state: 'free' },
      { date: inDays(1090), state: 'free' },
      { date: inDays(1200), state: 'free' },
    ]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual(['days.0.date', 'days.2.date']);
    expect(await pull(person)).toEqual([]);
  });

  test('name an audition of the person, and no other one', async () => {
    const { performer, request } = await createScene();
    const other = await createScene();
    const { body } = await put(performer, [
      { date: inDays(1), state: 'pencilled', request_id: request.id },
      { date: inDays(2), state: 'pencilled', request_id: other.request.id },
      { date: inDays(3), state: 'pencilled', request_id: '999999' },
    ]);
    expect(body.data.map(({ request_id }) => request_id)).toEqual([request.id, null, null]);
  });

  test('lose their audition with the account of its sender, and stay', async () => {
    const { owner, performer, request } = await createScene();
    await put(performer, [{ date: inDays(1), state: 'pencilled', request_id: request.id }]);
    expect((await send(owner, 'DELETE /account', { password: owner.password })).status).toBe(200);
    expect(await pull(performer)).toMatchObject([{ state: 'pencilled', request_id: null }]);
  });

  test('are in the export, and go with the account', async () => {
    const person = await testServer.join();
    await put(person, [{ date: inDays(1), state: 'booked', note: 'Ad' }]);
    const headers = { authorization: `Bearer ${person.token}` };
    const files = unzip((await testServer.app.inject({ url: '/account/export', headers })).rawPayload);
    expect(JSON.parse(String(files.get('availability.json')))).toEqual(await pull(person));
    await send(person, 'DELETE /account', { password: person.password });
    const { rows } = await testServer.database.pool.query('select 1 from availability_days where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('jobs', () => {
  test('end what has expired, for its own devices too, and nothing else', async () => {
    const person = await testServer.join();
    await put(person, [
      { date: inDays(5), state: 'held', note: 'Ad', expires_at: inHours(2) },
      { date: inDays(6), state: 'pencilled', expires_at: inHours(4) },
      { date: inDays(7), state: 'held' },
    ]);
    testServer.clock.advance(3 * HOUR_MS);
    await Promise.all([1, 2].map(() => endExpiredDays(testServer.database.db, now())));
    expect(await pull(person)).toMatchObject([
      { state: null, note: null, expires_at: null, version: 2 },
      { state: 'pencilled', version: 1 },
      { state: 'held', version: 1 },
    ]);
  });

  test('delete what is more than a year old', async () => {
    const person = await testServer.join();
    await put(person, [
      { date: inDays(-366), state: 'booked' },
      { date: inDays(-365), state: 'booked' },
    ]);
    testServer.clock.advance(24 * HOUR_MS);
    await deletePastDays(testServer.database.db, now());
    expect(await pull(person)).toMatchObject([{ date: inDays(-366), state: 'booked' }]);
  });
});

describe('the days that others see', () => {
  const show = (person: Person, availability_for: string) =>
    testServer.call('PUT /settings', { token: person.token, body: { availability_for } });
  const look = async (viewer: Person, { profileId }: Performer, query = '') =>
    testServer.call<{ data: SeenDay[] }>(`GET /profiles/${profileId}/availability${query}`, { token: viewer.token });
  const status = async (viewer: Person, performer: Performer) => (await look(viewer, performer)).status;

  async function createViewers() {
    const { owner: sender, performer, role, request } = await createScene();
    const [friend, stranger, blocked, otherSender] = [
      await testServer.join(),
      await testServer.join(),
      await testServer.join(),
      await testServer.join(),
    ];
    await connect(testServer, friend, performer);
    await block(testServer, performer, blocked);
    const other = await ask(
      otherSender,
      await addRole(otherSender, await addProject(otherSender)),
      await addPerformer(),
    );
    return { sender, performer, role, request, friend, stranger, blocked, otherSender, other };
  }

  /** [audience, owner, friend, sender, sender of others, stranger, blocked] */
  test.each([
    ['nobody', 200, 404, 404, 404, 404, 404],
    ['connections', 200, 200, 404, 404, 404, 404],
    ['casting', 200, 404, 200, 404, 404, 404],
  ])('for %s', async (audience, ...expected) => {
    const { performer, friend, sender, otherSender, stranger, blocked } = await createViewers();
    await show(performer, audience);
    const seen = [];
    for (const viewer of [performer, friend, sender, otherSender, stranger, blocked])
      seen.push(await status(viewer, performer));
    expect(seen).toEqual(expected);
  });

  test('are shown to nobody until the person says so, and the setting is theirs alone', async () => {
    const person = await testServer.join();
    const settings = await testServer.call<{ availability_for: string }>('GET /settings', { token: person.token });
    expect(settings.body.availability_for).toBe('nobody');
    expect((await show(person, 'everybody')).status).toBe(422);
  });

  test.each<[string, (scene: Awaited<ReturnType<typeof createScene>>) => Promise<unknown>]>([
    ['withdrawn', ({ owner, request }) => castingCall(owner, request.id, 'withdraw')],
    ['declined', ({ performer, request }) => say(performer, request.id, 'decline')],
    ['answered with no', ({ owner, request }) => castingCall(owner, request.id, 'answer', { kind: 'no_thank_you' })],
    ['cast', ({ owner, role }) => cast(owner, role.id)],
    ['ended by a block', ({ owner, performer }) => block(testServer, performer, owner)],
  ])('are no longer shown to those who cast when the request was %s', async (_what, end) => {
    const scene = await createScene();
    await show(scene.performer, 'casting');
    expect(await status(scene.owner, scene.performer)).toBe(200);
    await end(scene);
    expect(await status(scene.owner, scene.performer)).toBe(404);
  });

  test('are shown to the colleagues of a project that asks, until they are removed', async () => {
    const { owner, performer, project } = await createScene();
    await show(performer, 'casting');
    const colleague = await addColleague(owner, project.id, 'read');
    const invited = await addInvited(owner, project.id);
    expect([await status(colleague, performer), await status(invited, performer)]).toEqual([200, 404]);
    await remove(owner, colleague.memberId);
    expect(await status(colleague, performer)).toBe(404);
  });

  test('of a minor are shown to connections alone', async () => {
    const { performer, friend, sender } = await createViewers();
    await ask(friend, await addRole(friend, await addProject(friend)), performer);
    await testServer.database.pool.query('update users set is_minor = true where id = $1', [performer.id]);
    await show(performer, 'casting');
    expect([await status(sender, performer), await status(friend, performer)]).toEqual([404, 200]);
    await show(performer, 'connections');
    expect([await status(sender, performer), await status(friend, performer)]).toEqual([404, 200]);
  });

  test('say free or not free, and not why, for whom or for how long', async () => {
    const { performer, friend, request } = await createViewers();
    await show(performer, 'connections');
    await put(performer, [
      { date: inDays(-3), state: 'booked' },
      { date: inDays(1), state: 'free', note: 'Marker of a note' },
      { date: inDays(2), state: 'pencilled', request_id: request.id },
      { date: inDays(3), state: 'held', note: 'Marker of a note', expires_at: inHours(2) },
      { date: inDays(4), state: 'booked' },
      { date: inDays(500), state: 'booked' },
    ]);
    const before = (await look(friend, performer)).body.data;
    expect(before).toEqual([1, 2, 3, 4].map((days) => ({ date: inDays(days), is_free: days === 1 })));
    testServer.clock.advance(3 * HOUR_MS);
    const later = (await look(friend, performer, `?from=${inDays(2)}&to=${inDays(3)}`)).body.data;
    expect(later).toEqual([{ date: inDays(2), is_free: false }]);
  });

  test('are none beyond the end of all calendars', async () => {
    const { performer } = await createScene();
    const { status, body } = await look(performer, performer, '?from=9999-12-31');
    expect([status, body.data]).toEqual([200, []]);
  });
});

describe('the shoot days of a request', () => {
  test('reach the performer in order', async () => {
    const owner = await testServer.join();
    const role = await addRole(owner, await addProject(owner));
    const performer = await addPerformer();
    const request = await ask(owner, role, performer, { shoot_dates: [inDays(9), inDays(8)] });
    const [audition] = await read<{ id: string; shoot_dates: string[] }>(performer, 'audition');
    expect(audition).toMatchObject({ id: request.id, shoot_dates: [inDays(8), inDays(9)] });
  });

  test.each<[string, () => unknown, string]>([
    ['are not days', () => ['soon'], 'shoot_dates.0'],
    ['are too many', () => Array.from({ length: 61 }, (_, n) => inDays(n)), 'shoot_dates'],
    ['are named twice', () => [inDays(1), inDays(1)], 'shoot_dates'],
  ])('are refused if they %s', async (_what, list, field) => {
    const owner = await testServer.join();
    const role = await addRole(owner, await addProject(owner));
    const performer = await addPerformer();
    const body = { role_id: role.id, profile_id: performer.profileId, deadline_at: inHours(240), shoot_dates: list() };
    const answer = await send(owner, 'POST /casting/requests', body);
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([422, [field]]);
  });
});
