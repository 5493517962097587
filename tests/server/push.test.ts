import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUSH_KIND_NAMES } from '#contract/push-kind-names.ts';
import type { PushRecord, PushTestRecord } from '#contract/records/push.ts';
import { releasePushes } from '#server/features/push/hold.ts';
import { addProfile, block, connect, requestConnection } from './support/people.ts';
import { openPushService, type Device, type TestPushService } from './support/push-service.ts';
import { openTestServer, TEST_HOME, type Person, type TestServer } from './support/test-server.ts';

let service: TestPushService;
let testServer: TestServer;
beforeAll(async () => {
  service = await openPushService();
  const logged = (entry: unknown, text: string) => lines.push(`${JSON.stringify(entry)} ${text}`);
  const log = { error: logged, warn: logged, info() {}, debug() {}, trace() {}, fatal: logged, child: () => log };
  testServer = await openTestServer({
    env: { PUSH_HOSTS: service.host },
    pushAgent: service.agent,
    log: log as never,
  });
});
afterAll(async () => {
  await testServer.close();
  await service.close();
});
const lines: string[] = [];
beforeEach(async () => {
  await testServer.database.pool.query('delete from deliveries');
  service.pushes.length = 0;
  lines.length = 0;
});
afterEach(() => {
  service.answerWith(() => null);
  expect(service.faults).toEqual([]);
  // No endpoint, and nothing that a push says.
  expect(lines.join('\n')).not.toMatch(/localhost|\/send\/|Deshpande|quotes/);
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await testServer.database.pool.query<Row>(text, values)).rows;

async function subscribe(person: Person, timeZone = 'Asia/Kolkata'): Promise<Device> {
  const device = service.addDevice();
  const body = { ...device.subscription, time_zone: timeZone };
  const answer = await testServer.call('PUT /push/subscription', { token: person.token, body });
  expect(answer.status).toBe(200);
  return device;
}
const change = (person: Person, push: object) =>
  testServer.call('PUT /settings', { token: person.token, body: { push } });

/** Two connected people, of whom the second has a device. */
async function joinPair() {
  const [ila, omar] = [await testServer.join('Ila Deshpande'), await testServer.join('Omar Sheikh')];
  await addProfile(testServer, omar);
  const connectionId = await connect(testServer, ila, omar);
  await testServer.runJobs();
  const device = await subscribe(omar);
  const conversations = await testServer.call<{ conversation_id: string }[]>('GET /conversations', {
    token: ila.token,
  });
  return { ila, omar, device, connectionId, conversationId: conversations.body[0]!.conversation_id };
}
type Pair = Awaited<ReturnType<typeof joinPair>>;
async function write({ ila, omar, conversationId }: Pair, message = 'Shall we meet?') {
  const body = { conversation_id: conversationId, receiver_id: omar.id, message };
  const answer = await testServer.call('POST /chat/send', { token: ila.token, body });
  expect(answer.status).toBe(201);
}
/** The profile of a person, as another one finds it. */
async function getProfileId(reader: Person, { id }: Person): Promise<string> {
  const found = await testServer.call<{ id: string }[]>(`GET /profiles/shared/all/${id}`, { token: reader.token });
  return found.body[0]!.id;
}
const readAll = ({ omar }: Pair) =>
  testServer.call('POST /notifications/read', { token: omar.token, body: { all: true } });
const getStates = async (alert?: string) =>
  (
    await query<{ state: string; code: string | null }>(
      `select state, code from deliveries where ($1::uuid is null or alert = $1) order by at desc, kind`,
      [alert ?? null],
    )
  ).map(({ state, code }) => (code === null ? state : `${state} ${code}`));
const getLastState = async () => (await getStates())[0];
const failNext = (status: number, headers?: Record<string, string>) =>
  service.answerWith(() => ({ status, ...(headers && { headers }) }));

describe('a push', () => {
  test('says who wrote, what a tap opens and the number on the icon, and not what was written', async () => {
    const pair = await joinPair();
    await write(pair);
    await testServer.runJobs();
    expect(service.pushes).toHaveLength(1);
    const [{ headers, topic, ttlS, payload, path }] = service.pushes as [(typeof service.pushes)[0]];
    expect(path).toBe(pair.device.path);
    expect([headers.urgency, headers['content-encoding']]).toEqual(['high', 'aes128gcm']);
    expect(topic).toMatch(/^[\w-]{32}$/);
    expect(ttlS).toBe(86_400);
    expect(payload).toEqual({
      web_push: 8030,
      notification: {
        title: 'Ila Deshpande',
        body: 'Sent you a message',
        navigate: `${TEST_HOME}/messages/${pair.conversationId}`,
        tag: `c-${pair.conversationId}`,
        lang: 'en',
        silent: false,
        data: { id: expect.stringMatching(/^[\da-f-]{36}$/) as string, kind: 'message', user: pair.omar.id },
      },
      app_badge: 1,
    });
    expect([...service.senders]).toEqual([expect.stringMatching(/^mailto:ops@callboard\.example /)]);
    expect(await getLastState()).toBe('sent 201');
  });

  test('goes to every device of a person once, also when its jobs run twice', async () => {
    const pair = await joinPair();
    const other = await subscribe(await testServer.signIn(pair.omar));
    await write(pair);
    await testServer.runJobs();
    const [{ alert }] = (await query<{ alert: string }>(
      'select alert from notifications order by id desc limit 1',
    )) as [{ alert: string }];
    await query(`select graphile_worker.add_job('push.fan_out', json_build_object('alert', $1::text))`, [alert]);
    await testServer.runJobs();
    expect(service.pushes.map(({ path }) => path).sort()).toEqual([pair.device.path, other.path].sort());
    expect(new Set(service.pushes.map(({ topic }) => topic)).size).toBe(1);
  });

  test('is sent for the first of several unread messages, and again after they were read', async () => {
    const pair = await joinPair();
    await write(pair, 'One');
    await write(pair, 'Two');
    await testServer.runJobs();
    expect(service.pushes).toHaveLength(1);
    await readAll(pair);
    await write(pair, 'Three');
    await testServer.runJobs();
    expect(new Set(service.pushes.map(({ topic }) => topic)).size).toBe(2);
  });

  test('stops after six a day about one thing that somebody does and undoes all the time', async () => {
    const { ila, omar } = await joinPair();
    await change(omar, { kinds: { saved: true } });
    const profileId = await getProfileId(ila, omar);
    const [save, unsave] = ['save', 'unsave'].map((act) => `POST /profile/${profileId}/${act}`);
    for (let n = 0; n < 8; n += 1) {
      expect((await testServer.call(save!, { token: ila.token })).status).toBe(200);
      await testServer.runJobs();
      await testServer.call(unsave!, { token: ila.token });
    }
    expect(service.pushes).toHaveLength(6);
    testServer.clock.advance(24 * 60 * 60_000);
    await testServer.call(save!, { token: ila.token });
    await testServer.runJobs();
    expect(service.pushes).toHaveLength(7);
  });

  test('stops after six requests a day that one person sends and withdraws', async () => {
    const { omar } = await joinPair();
    const farah = await testServer.join('Farah Irani');
    for (let n = 0; n < 8; n += 1) {
      const id = await requestConnection(testServer, farah, omar);
      await testServer.runJobs();
      await testServer.call(`DELETE /connections/${id}`, { token: farah.token });
    }
    expect(service.pushes).toHaveLength(6);
  });

  test('stops after six texts a day that one person writes on a page and deletes', async () => {
    const { ila, omar } = await joinPair();
    await change(omar, { kinds: { feedback: true } });
    const profile_id = await getProfileId(ila, omar);
    const { token } = ila;
    for (let n = 0; n < 8; n += 1) {
      const body = { profile_id, feedback: 'Never late' };
      const { id } = (await testServer.call<{ data: { id: string } }>('POST /feedback', { token, body })).body.data;
      await testServer.runJobs();
      await testServer.call(`DELETE /feedback/${id}`, { token });
    }
    expect(service.pushes).toHaveLength(6);
  });

  test('is not sent when the write that causes it is rolled back', async () => {
    const pair = await joinPair();
    const body = { conversation_id: pair.conversationId, receiver_id: '999999', message: 'Hello' };
    await testServer.call('POST /chat/send', { token: pair.ila.token, body });
    await testServer.runJobs();
    expect(service.pushes).toEqual([]);
  });

  test('holds no name where the person wants none', async () => {
    const pair = await joinPair();
    await change(pair.omar, { hide_names: true });
    await write(pair);
    await testServer.runJobs();
    const { title, body } = service.pushes[0]!.payload.notification;
    expect([title, body]).toEqual(['Callboard', 'You have a new message']);
  });

  test('names only connections to somebody under 18', async () => {
    const pair = await joinPair();
    await write(pair);
    await requestConnection(testServer, await testServer.join('Farah Irani'), pair.omar);
    await query('update users set is_minor = true where id = $1', [pair.omar.id]);
    await testServer.runJobs();
    const titles = service.pushes.map(({ payload }) => payload.notification.title).sort();
    expect(titles).toEqual(['Callboard', 'Ila Deshpande']);
  });

  test('counts unread conversations and received requests on the icon', async () => {
    const pair = await joinPair();
    await write(pair);
    await requestConnection(testServer, await testServer.join('Farah Irani'), pair.omar);
    await testServer.runJobs();
    expect(service.pushes.map(({ payload }) => payload.app_badge)).toEqual([2, 2]);
  });
});

describe('between the queue and the push service', () => {
  test.each([
    ['the device signs out', ({ omar }: Pair) => testServer.call('POST /logout', { token: omar.token }), 'signed out'],
    ['the person reads it', readAll, 'read'],
    ['the person blocks the other', ({ ila, omar }: Pair) => block(testServer, omar, ila), 'gone'],
    ['the person is blocked', ({ ila, omar }: Pair) => block(testServer, ila, omar), 'gone'],
    [
      'the desk suspends the sender',
      ({ ila }: Pair) => query(`update users set state = 'suspended' where id = $1`, [ila.id]),
      'suspended',
    ],
    ['the kind is switched off', ({ omar }: Pair) => change(omar, { kinds: { message: false } }), 'off'],
    [
      'the browser moves to another account',
      async ({ device }: Pair) => {
        const { token } = await testServer.join('Somebody Else');
        await testServer.call('PUT /push/subscription', { token, body: device.subscription });
      },
      'signed out',
    ],
    [
      'the session expires',
      ({ omar }: Pair) =>
        query(`update sessions set last_seen_at = last_seen_at - interval '91 days' where user_id = $1`, [omar.id]),
      'signed out',
    ],
    ['it becomes too old', () => query(`update deliveries set due_at = due_at - interval '25 hours'`), 'expired'],
  ])('it is dropped when %s', async (_, act, reason) => {
    const pair = await joinPair();
    await write(pair);
    // The first attempt meets a service that is down, so the push waits.
    failNext(503);
    await testServer.runJobs({ mayFail: 'push.send' });
    await act(pair);
    service.answerWith(() => null);
    await query(`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`);
    await testServer.runJobs();
    expect(service.pushes).toEqual([]);
    expect(await getLastState()).toBe(`dropped ${reason}`);
  });
});

describe('quiet hours', () => {
  const release = async ({ omar }: Pair) => {
    const [row] = await query<{ id: string }>('select id from push_subscriptions where user_id = $1', [omar.id]);
    await releasePushes(testServer.database.db, Number(row!.id), testServer.clock.now());
    await testServer.runJobs();
  };
  // 14:30 in India: see ManualClock.
  const QUIET = { from: '14:00', to: '15:00' };

  test('hold a push until they end by the clock of the device', async () => {
    const pair = await joinPair();
    await change(pair.omar, { quiet: QUIET });
    await write(pair);
    await testServer.runJobs();
    expect(service.pushes).toEqual([]);
    const [job] = await query<{ minutes: number }>(
      `select extract(epoch from run_at - now()) / 60 as minutes from graphile_worker.jobs where task_identifier = 'push.release'`,
    );
    expect(Number(job!.minutes)).toBeGreaterThan(29);
    expect(Number(job!.minutes)).toBeLessThan(31);
    await change(pair.omar, { quiet: null });
    await release(pair);
    expect(service.pushes.map(({ payload }) => payload.notification.title)).toEqual(['Ila Deshpande']);
  });

  test('gather several pushes to one, without those that were read meanwhile', async () => {
    const pair = await joinPair();
    await change(pair.omar, { quiet: QUIET });
    await write(pair);
    for (const name of ['Farah Irani', 'Zoya Khan', 'Kabir Rao'])
      await requestConnection(testServer, await testServer.join(name), pair.omar);
    await testServer.runJobs();
    await query(
      `update notifications set read_at = now() where user_id = $1 and id =
      (select max(id) from notifications where user_id = $1)`,
      [pair.omar.id],
    );
    // Still quiet: everything is held anew, and nothing is gathered twice.
    await release(pair);
    expect(service.pushes).toEqual([]);
    await change(pair.omar, { quiet: null });
    await release(pair);
    expect(service.pushes.map(({ payload }) => payload.notification.body)).toEqual([
      expect.stringMatching(/^While it was quiet: (1 message and 2 requests|2 requests and 1 message)$/),
    ]);
    expect(
      (await query(`select 1 from deliveries where state in ('held', 'queued') and user_id = $1`, [pair.omar.id]))
        .length,
    ).toBe(0);
  });
});

describe('the answer of the push service', () => {
  test.each([404, 410])('%i ends the subscription', async (status) => {
    const pair = await joinPair();
    failNext(status);
    await write(pair);
    await testServer.runJobs();
    expect(await query('select 1 from push_subscriptions where user_id = $1', [pair.omar.id])).toEqual([]);
    expect(await getLastState()).toBe(`dropped ${status}`);
  });

  test('413 drops the push and tells the operator', async () => {
    const pair = await joinPair();
    failNext(413);
    await write(pair);
    await testServer.runJobs();
    expect(await getLastState()).toBe('dropped 413');
    expect(lines).toEqual([expect.stringContaining('a push is too large')]);
  });

  test('429 is tried again after the time that it names', async () => {
    const pair = await joinPair();
    failNext(429, { 'retry-after': '240' });
    await write(pair);
    await testServer.runJobs();
    const [job] = await query<{ seconds: string; attempts: number }>(
      `select extract(epoch from run_at - now()) as seconds, attempts from graphile_worker.jobs where task_identifier = 'push.send' order by id desc`,
    );
    expect(Number(job!.seconds)).toBeGreaterThan(230);
    expect(job!.attempts).toBe(0);
    await query('delete from graphile_worker._private_jobs');
  });

  test.each([400, 401, 403])('%i is told to the operator once an hour, and keeps the push', async (status) => {
    testServer.clock.advance(3_600_000);
    const pair = await joinPair();
    failNext(status);
    await write(pair);
    await requestConnection(testServer, await testServer.join('Farah Irani'), pair.omar);
    await testServer.runJobs();
    expect(await getStates()).toEqual(expect.arrayContaining([`queued ${status}`]));
    expect(lines).toEqual([expect.stringContaining(`{"status":${status}} a push service refuses the keys`)]);
    await query('delete from graphile_worker._private_jobs');
  });

  test.each([
    ['503', () => failNext(503), '503'],
    ['none', () => service.answerWith(() => 'hang'), 'ETIMEDOUT'],
  ])(
    '%s is tried again with growing pauses',
    async (_, fail, code) => {
      const pair = await joinPair();
      fail();
      await write(pair);
      await testServer.runJobs({ mayFail: 'push.send' });
      expect(await getLastState()).toBe(`queued ${code}`);
      const [job] = await query<{ attempts: number; last_error: string }>(
        `select attempts, last_error from graphile_worker.jobs where task_identifier = 'push.send'`,
      );
      expect(job).toEqual({ attempts: 1, last_error: JSON.stringify({ code, hint: 'the push service' }) });
      await query('delete from graphile_worker._private_jobs');
    },
    20_000,
  );

  test('a redirect is not followed', async () => {
    const pair = await joinPair();
    const other = service.addDevice();
    service.answerWith((path) =>
      path === pair.device.path ? { status: 307, headers: { location: other.subscription.endpoint } } : null,
    );
    await write(pair);
    await testServer.runJobs();
    expect(service.pushes).toEqual([]);
    expect(await getLastState()).toBe('dropped 307');
  });
});

describe('a subscription', () => {
  const put = (person: Person, body: unknown) =>
    testServer.call('PUT /push/subscription', { token: person.token, body });

  test.each([
    ['http://fcm.googleapis.com/send/1', 'endpoint'],
    ['https://localhost/send/1', 'endpoint'],
    ['https://127.0.0.1/send/1', 'endpoint'],
    ['https://169.254.169.254/latest/meta-data', 'endpoint'],
    ['https://user@fcm.googleapis.com/send/1', 'endpoint'],
    ['https://fcm.googleapis.com.evil.example/send/1', 'endpoint'],
    ['https://evilpush.apple.com/1', 'endpoint'],
    ['https://fcm.googleapis.com:8080/send/1', 'endpoint'],
    ['file:///etc/passwd', 'endpoint'],
  ])('with the address %s is refused', async (endpoint, field) => {
    const { subscription } = service.addDevice();
    const answer = await put(await testServer.join(), { ...subscription, endpoint });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors as object)).toEqual([field]);
  });

  test('with a key that is no point on the curve is refused', async () => {
    const { subscription } = service.addDevice();
    const keys = { ...subscription.keys, p256dh: `B${'A'.repeat(86)}` };
    const answer = await put(await testServer.join(), { ...subscription, keys });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors as object)).toEqual(['keys.p256dh']);
  });

  test('replaces the earlier one of the device, and stays one when it is sent twice at once', async () => {
    const person = await testServer.join();
    await subscribe(person);
    const { subscription } = service.addDevice();
    const answers = await Promise.all([put(person, subscription), put(person, subscription)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await query('select endpoint from push_subscriptions where user_id = $1', [person.id])).toEqual([
      { endpoint: subscription.endpoint },
    ]);
  });

  test('ends with the device, and only by its own account', async () => {
    const [person, other] = [await testServer.join(), await testServer.join()];
    const { subscription } = await subscribe(person);
    const remove = ({ token }: Person) =>
      testServer.call('DELETE /push/subscription', { token, body: { endpoint: subscription.endpoint } });
    const isSubscribed = async () =>
      (await testServer.call<PushRecord>('GET /push', { token: person.token })).body.subscribed;
    await remove(other);
    expect(await isSubscribed()).toBe(true);
    await remove(person);
    expect(await isSubscribed()).toBe(false);
  });

  test('is made with a key that stays the same', async () => {
    const { token } = await testServer.join();
    const read = async () => (await testServer.call<PushRecord>('GET /push', { token })).body.public_key;
    const key = await read();
    expect(Buffer.from(key!, 'base64url')).toHaveLength(65);
    const [row] = await query<{ key: string }>('select vapid_public_key as key from installation');
    expect(row!.key).toBe(key);
  });
});

describe('settings', () => {
  test('change one by one', async () => {
    const person = await testServer.join();
    await change(person, { kinds: { saved: true } });
    await change(person, { quiet: { from: '22:00', to: '07:30' } });
    const { body } = await testServer.call<PushRecord>('GET /push', { token: person.token });
    expect(body.settings).toEqual({
      kinds: { ...Object.fromEntries(PUSH_KIND_NAMES.map((name) => [name, true])), saved: true },
      quiet: { from: '22:00', to: '07:30' },
      hide_names: false,
    });
  });

  test.each([
    [{ kinds: { message: 1 } }, 'push.kinds.message'],
    [{ quiet: { from: '24:00', to: '07:00' } }, 'push.quiet.from'],
    [{ quiet: { from: '07:00', to: '07:00' } }, 'push.quiet'],
    [{ hide_names: 'yes' }, 'push.hide_names'],
  ])('%j is refused', async (push, field) => {
    const answer = await change(await testServer.join(), push);
    expect(Object.keys(answer.body.errors as object)).toEqual([field]);
  });
});

describe('a test of the way to a device', () => {
  const begin = async ({ token }: Person) => (await testServer.call<PushTestRecord>('POST /push/test', { token })).body;
  const read = async ({ token }: Person, id: string | null) =>
    (await testServer.call<PushTestRecord>(`GET /push/test/${id}`, { token })).body.hops.map(({ hop, ok }) => [
      hop,
      ok,
    ]);

  test('follows it to the device', async () => {
    const person = await testServer.join();
    await subscribe(person);
    const { id } = await begin(person);
    expect(await read(person, id)).toEqual([
      ['subscription', true],
      ['our server', true],
      ['push service', null],
      ['arrived', null],
    ]);
    await testServer.runJobs();
    expect((await read(person, id))[2]).toEqual(['push service', true]);
    const seen = service.pushes[0]!.payload.notification.data.id;
    expect(seen).toBe(id);
    await testServer.call('POST /push/seen', { token: person.token, body: { ids: [seen] } });
    expect((await read(person, id))[3]).toEqual(['arrived', true]);
    const { token } = await testServer.join();
    expect((await testServer.call(`GET /push/test/${id}`, { token })).status).toBe(404);
  });

  test('names the hop that fails', async () => {
    const person = await testServer.join();
    expect((await begin(person)).hops).toMatchObject([{ hop: 'subscription', ok: false }]);
    await subscribe(person);
    failNext(410);
    const { id } = await begin(person);
    await testServer.runJobs();
    expect((await read(person, id)).at(-1)).toEqual(['push service', false]);
  });
});
