import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { endExpiredSessions } from '#server/features/account/store.ts';
import { createResetPath } from '#server/features/account/reset.ts';
import { channelSignature, userSignature } from '#server/platform/live/channels.ts';
import type { Hub } from '#server/platform/live/hub.ts';
import { CREDENTIALS, LiveClient } from './support/live-client.ts';
import { block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer({ env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret } });
const { addPerformer } = viewerCalls(testServer);

let port = 0;
beforeAll(async () => {
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  port = (testServer.app.server.address() as { port: number }).port;
});

const hub = (): Hub => testServer.app.deps.live.hub!;
const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** Opens a raw socket that is closed after the test. */
function open(): LiveClient {
  const client = new LiveClient(port);
  opened.push({ close: () => client.end() });
  return client;
}

/** Connects a device the way the app does. */
function connectDevice({ token }: Person): Pusher {
  const device = new Pusher(CREDENTIALS.key, {
    cluster: 'ap2',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      transport: 'ajax',
      endpoint: `http://127.0.0.1:${port}/broadcasting/auth`,
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    },
    userAuthentication: {
      transport: 'ajax',
      endpoint: `http://127.0.0.1:${port}/broadcasting/user-auth`,
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    },
  });
  opened.push({ close: () => device.disconnect() });
  return device;
}

/** Subscribes and resolves with the status of the response. */
const subscribe = (device: Pusher, channel: string) =>
  new Promise<number>((resolve) => {
    const subscribed = device.subscribe(channel);
    subscribed.bind('pusher:subscription_succeeded', () => resolve(200));
    subscribed.bind('pusher:subscription_error', ({ status }: { status: number }) => resolve(status));
  });

const next = <T = unknown>(device: Pusher, channel: string, event: string) =>
  new Promise<T>((resolve) => device.channel(channel).bind(`App\\Events\\${event}`, resolve));

describe('devices of the app', () => {
  test('may join their own channel and the channels of their conversations only', async () => {
    const [a, b, c] = [await addPerformer(), await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    const [conversation] = (
      await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token })
    ).body;
    const chat = `private-chat.${conversation!.conversation_id}`;
    expect(await subscribe(connectDevice(a), `private-App.Models.User.${a.id}`)).toBe(200);
    expect(await subscribe(connectDevice(b), chat)).toBe(200);
    expect(await subscribe(connectDevice(c), chat)).toBe(403);
    expect(await subscribe(connectDevice(c), `private-App.Models.User.${a.id}`)).toBe(403);
    expect(await subscribe(connectDevice(c), 'private-chat.999999')).toBe(403);
    expect(await subscribe(connectDevice(c), 'private-elsewhere')).toBe(403);
  });

  test('receive a message immediately, except the sending device', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    const [conversation] = (
      await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token })
    ).body;
    const { conversation_id } = conversation!;
    const [sender, second, receiver] = [connectDevice(a), connectDevice(a), connectDevice(b)];
    const own = `private-App.Models.User.${a.id}`;
    await Promise.all([
      subscribe(sender, own),
      subscribe(second, own),
      subscribe(receiver, `private-chat.${conversation_id}`),
    ]);
    const events: unknown[] = [];
    sender.channel(own).bind_global((event: string) => events.push(event));
    const received = [
      next(second, own, 'MessageSent'),
      next(receiver, `private-chat.${conversation_id}`, 'MessageSent'),
    ];
    const sent = await testServer.call<{ data: object }>('POST /chat/send', {
      token: a.token,
      headers: { 'x-socket-id': sender.connection.socket_id },
      body: { conversation_id, receiver_id: b.id, message: 'Places, please' },
    });
    expect(await Promise.all(received)).toEqual([{ message: sent.body.data }, { message: sent.body.data }]);
    // The first device received all earlier events before this one.
    const recordsChanged = next(sender, own, 'RecordsChanged');
    await testServer.call('POST /chat/send', {
      token: b.token,
      body: { conversation_id, receiver_id: a.id, message: 'Thank you, places' },
    });
    await recordsChanged;
    expect(events.filter((event) => event === 'App\\Events\\MessageSent')).toHaveLength(1);
  });

  test('receive events under the names that Echo binds', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    const [conversation] = (
      await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token })
    ).body;
    const { conversation_id } = conversation!;
    const echo = new Echo({ broadcaster: 'pusher', key: CREDENTIALS.key, client: connectDevice(b) });
    const received = new Promise((resolve) => {
      const channel = echo.private(`chat.${conversation_id}`);
      channel.listen('MessageSent', resolve);
      channel.subscribed(() => {
        void testServer.call('POST /chat/send', {
          token: a.token,
          body: { conversation_id, receiver_id: b.id, message: 'Half hour, please' },
        });
      });
    });
    expect(await received).toMatchObject({ message: { message: 'Half hour, please', seq: 1 } });
  });

  test('are disconnected when their session signs out, and other devices of the person are not', async () => {
    const a = await addPerformer();
    const login = await testServer.call<{ token: string }>('POST /login', {
      body: { email: a.email, password: a.password },
    });
    const [first, second] = [connectDevice(a), connectDevice({ ...a, token: login.body.token })];
    const own = `private-App.Models.User.${a.id}`;
    await Promise.all([subscribe(first, own), subscribe(second, own)]);
    const ended = new Promise<void>((resolve) => second.connection.bind('disconnected', () => resolve()));
    const startedAt = performance.now();
    await testServer.call('POST /logout', { token: login.body.token });
    await ended;
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(first.connection.state).toBe('connected');
  });

  test('are disconnected at the end of a session they only signed in with', async () => {
    const a = await addPerformer();
    const device = connectDevice(a);
    device.signin();
    await device.user.signinDonePromise;
    expect(device.user.user_data).toEqual({ id: a.id });
    const ended = new Promise<void>((resolve) => device.connection.bind('disconnected', () => resolve()));
    await testServer.call('POST /logout', { token: a.token });
    await ended;
  });

  test('can sign in only as their own user', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const [one, two] = [open(), open()];
    const proof = async (client: LiveClient) =>
      (
        await testServer.call<{ auth: string; user_data: string }>('POST /broadcasting/user-auth', {
          token: a.token,
          body: `socket_id=${await client.id()}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).body;
    const proven = await proof(one);
    two.send('pusher:signin', proven);
    expect(await two.closed).toBe(4009);
    expect(await two.receive('pusher:error')).toMatchObject({ code: 4009 });
    one.send('pusher:signin', proven);
    expect(await one.receive('pusher:signin_success')).toEqual(proven);
    await one.subscribe(`#server-to-user-${a.id}`);
    one.send('pusher:subscribe', { channel: `#server-to-user-${b.id}` });
    expect(await one.receive('pusher:subscription_error')).toMatchObject({ type: 'AuthError', status: 401 });
    one.send('pusher:signin', { auth: proven.auth, user_data: JSON.stringify({ id: b.id }) });
    expect(await one.closed).toBe(4009);
  });

  test('are removed from the channel of a conversation on a block', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, a, b);
    const [conversation] = (
      await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token })
    ).body;
    const channel = `private-chat.${conversation!.conversation_id}`;
    const device = connectDevice(b);
    await subscribe(device, channel);
    expect(hub().channels(channel)).toHaveLength(1);
    await block(testServer, a, b);
    await expect.poll(() => hub().channels(channel), { timeout: 1000 }).toEqual([]);
    expect(await subscribe(connectDevice(b), channel)).toBe(403);
  });
});

describe('socket', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const authorize = (token: string, socketId: string, channel: string) =>
    testServer.call<{ auth: string }>('POST /broadcasting/auth', {
      token,
      headers: FORM,
      body: `socket_id=${socketId}&channel_name=${channel}`,
    });
  const userAuth = (token: string, socketId: string) =>
    testServer.call<{ auth: string; user_data: string }>('POST /broadcasting/user-auth', {
      token,
      headers: FORM,
      body: `socket_id=${socketId}`,
    });
  const signInAgain = async ({ email, password }: Person) =>
    (await testServer.call<{ token: string }>('POST /login', { body: { email, password } })).body.token;
  const own = ({ id }: Person) => `private-App.Models.User.${id}`;

  /** Opens a socket with this session and subscribes it to the person's own channel. */
  async function openSubscribedClient(person: Person, token: string): Promise<LiveClient> {
    const client = open();
    const { body } = await authorize(token, await client.id(), own(person));
    client.send('pusher:subscribe', { channel: own(person), auth: body.auth });
    await client.frame('pusher_internal:subscription_succeeded');
    return client;
  }

  const CLOSERS: [string, (person: Person) => Promise<unknown>][] = [
    [
      'the password is changed',
      ({ token, password }) =>
        testServer.call('PUT /password', {
          token,
          body: { current_password: password, password: 'a lantern under the stairs' },
        }),
    ],
    [
      'a new password is set with a link',
      async ({ email }) => {
        const token = (await createResetPath(testServer.database.db, email, testServer.clock.now()))?.split('=')[1];
        return testServer.call('POST /password/reset', { body: { token, password: 'a lantern under the stairs' } });
      },
    ],
    [
      'the account is deleted',
      ({ token, password }) => testServer.call('DELETE /account', { token, body: { password } }),
    ],
  ];

  const DAY_MS = 24 * 60 * 60_000;
  const EXPIRIES: [string, number, { used: boolean }][] = [
    ['90 days without use', 90 * DAY_MS + 1, { used: false }],
    ['a year of continuous use', 365 * DAY_MS + 1, { used: true }],
  ];

  test.each(EXPIRIES)('is closed with its session after %s and leaves its channels', async (_, ms, { used }) => {
    const person = await addPerformer();
    const client = await openSubscribedClient(person, await signInAgain(person));
    testServer.clock.advance(ms);
    const { db, pool } = testServer.database;
    if (used) {
      const now = testServer.clock.now();
      await pool.query('update sessions set last_seen_at = $1 where user_id = $2', [now, person.id]);
    }
    expect(hub().channel(own(person))).toMatchObject({ subscriptions: 1 });
    await endExpiredSessions(db, testServer.clock.now());
    expect(await client.closed).toBe(4009);
    expect(hub().channel(own(person))).toBeNull();
  });

  test('stays open when the token of its session is renewed, and subscribes with the new one', async () => {
    const person = await addPerformer();
    const old = await signInAgain(person);
    const client = await openSubscribedClient(person, old);
    const body = { password: person.password };
    const proven = await testServer.call<{ token: string }>('POST /reauth', { token: old, body });
    expect((await testServer.call('GET /user', { token: proven.body.token })).status).toBe(200);
    const changes = `private-changes.${person.id}`;
    expect((await authorize(old, await client.id(), changes)).status).toBe(401);
    expect((await authorize(proven.body.token, await client.id(), changes)).status).toBe(200);
    expect(hub().channel(own(person))).toMatchObject({ subscriptions: 1 });
  });

  test.each(CLOSERS)(
    'is closed when %s, although it used a stolen token, and cannot be claimed by another session',
    async (_, act) => {
      const [victim, thief] = [await addPerformer(), await addPerformer()];
      const client = await openSubscribedClient(victim, await signInAgain(victim));
      const id = await client.id();
      expect((await authorize(thief.token, id, own(thief))).status).toBe(403);
      expect((await userAuth(thief.token, id)).status).toBe(403);
      const startedAt = performance.now();
      await act(victim);
      expect(await client.closed).toBe(4009);
      expect(performance.now() - startedAt).toBeLessThan(2000);
    },
  );

  test('belongs to the session that claimed it, even against another session of the same person', async () => {
    const person = await addPerformer();
    const client = await openSubscribedClient(person, person.token);
    const other = await signInAgain(person);
    expect((await authorize(other, await client.id(), own(person))).status).toBe(403);
    expect((await authorize(person.token, await client.id(), own(person))).status).toBe(200);
  });

  test('is closed with the oldest session when a sign-in exceeds the limit', async () => {
    const person = await addPerformer();
    const client = await openSubscribedClient(person, person.token);
    for (let n = 0; n < 29; n += 1) await testServer.signIn(person);
    await signInAgain(person);
    expect(await client.closed).toBe(4009);
  });

  test('cannot sign in as another user', async () => {
    const [one, other] = [await addPerformer(), await addPerformer()];
    const client = await openSubscribedClient(one, one.token);
    const data = JSON.stringify({ id: other.id });
    client.send('pusher:signin', { auth: userSignature(CREDENTIALS, await client.id(), data), user_data: data });
    expect(await client.closed).toBe(4009);
  });

  test('cannot join with a valid signature before its session is known', async () => {
    const client = open();
    const auth = channelSignature(CREDENTIALS, await client.id(), 'private-chat.1');
    client.send('pusher:subscribe', { channel: 'private-chat.1', auth });
    expect(await client.receive('pusher:subscription_error')).toMatchObject({ status: 401 });
  });

  test('cannot join public channels, which are unused', async () => {
    const client = open();
    await client.signIn('7');
    client.send('pusher:subscribe', { channel: 'news' });
    expect(await client.receive('pusher:subscription_error')).toMatchObject({ status: 403 });
  });

  test('cannot join a channel for a session that has ended', async () => {
    const person = await addPerformer();
    const client = open();
    const id = await client.id();
    await testServer.call('POST /logout', { token: person.token });
    expect((await authorize(person.token, id, own(person))).status).toBe(401);
  });

  test('cannot join a channel for a session that ends during the request', async () => {
    const person = await addPerformer();
    const client = open();
    const id = await client.id();
    const { live } = testServer.app.deps;
    const real = live.authorize.bind(live);
    const authorizing = vi.spyOn(live, 'authorize').mockImplementation(async (request) => {
      await testServer.call('POST /logout', { token: person.token });
      return real(request);
    });
    expect((await authorize(person.token, id, own(person))).status).toBe(403);
    authorizing.mockRestore();
  });
});

test('disables client events and the HTTP API by default', async () => {
  const client = open();
  await client.signIn('7');
  await client.subscribe('private-talk');
  client.send('client-said', {}, { channel: 'private-talk' });
  expect(await client.receive('pusher:error')).toMatchObject({ code: 4301 });
  expect((await testServer.call('GET /apps/callboard/channels')).status).toBe(404);
  expect((await testServer.call('POST /apps/callboard/events', { body: {} })).status).toBe(404);
});
