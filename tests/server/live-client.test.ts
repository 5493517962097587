import Sdk from 'pusher';
import Pusher, { type Channel, type Members, type PresenceChannel } from 'pusher-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIALS } from './support/live-client.ts';
import { useTestServer } from './support/test-server.ts';

// Repeats the test suite of the client against this server: two connections, three channel types, subscribing and
// leaving in every order. The authorizer signs channel data for private channels, too.
const testServer = useTestServer({
  env: {
    PUSHER_KEY: CREDENTIALS.key,
    PUSHER_SECRET: CREDENTIALS.secret,
    PUSHER_EMBEDDED_API: '1',
    PUSHER_EMBEDDED_CLIENT_EVENTS: '1',
  },
});

let sdk: Sdk;
let one: Pusher;
let two: Pusher;
beforeAll(async () => {
  testServer.clock.advance(Date.now() - testServer.clock.now().getTime());
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = testServer.app.server.address() as { port: number };
  sdk = new Sdk({ appId: 'callboard', ...CREDENTIALS, host: '127.0.0.1', port: String(port), useTLS: false });
  const device = () =>
    new Pusher(CREDENTIALS.key, {
      cluster: 'ap2',
      wsHost: '127.0.0.1',
      wsPort: port,
      forceTLS: false,
      enabledTransports: ['ws'],
      channelAuthorization: {
        transport: 'ajax',
        endpoint: '',
        customHandler: ({ socketId, channelName }, callback) =>
          callback(
            null,
            sdk.authorizeChannel(socketId, channelName, { user_id: socketId, user_info: infoOf(socketId) }),
          ),
      },
      userAuthentication: {
        transport: 'ajax',
        endpoint: '',
        customHandler: ({ socketId }, callback) => callback(null, sdk.authenticateUser(socketId, { id: 'ila' })),
      },
    });
  [one, two] = [device(), device()];
  await Promise.all([one, two].map((each) => event(each.connection, 'connected')));
});
afterAll(() => {
  one.disconnect();
  two.disconnect();
});

const infoOf = (socketId: string) => ({ name: `Performer ${socketId}` });
const memberOf = (device: Pusher) => ({ id: idOf(device), info: infoOf(idOf(device)) });
const idOf = (device: Pusher) => device.connection.socket_id;
let names = 0;
const newName = (prefix = '') => `${prefix}integration_${(names += 1)}`;
const event = <T>(source: { bind: (name: string, callback: (data: T) => void) => unknown }, name: string) =>
  new Promise<T>((resolve) => source.bind(name, resolve));

async function subscribe<T extends Channel = Channel>(device: Pusher, name: string): Promise<T> {
  const channel = device.subscribe(name);
  await event(channel, 'pusher:subscription_succeeded');
  return channel as T;
}

/** Waits until everything sent before was processed in both directions, by subscribing to a new channel. */
const settle = async (device: Pusher) => {
  await subscribe(device, newName('settle-'));
};
const collect = (channel: Channel, name: string) => {
  const all: unknown[] = [];
  channel.bind(name, (data: unknown) => all.push(data));
  return all;
};

describe('public channel', () => {
  test('delivers an event published by the API', async () => {
    const channel = await subscribe(one, newName());
    const received = event(channel, 'said');
    await sdk.trigger(channel.name, 'said', { x: 1, y: 'z' });
    expect(await received).toEqual({ x: 1, y: 'z' });
  });

  test('delivers nothing after unsubscribing, which may be repeated', async () => {
    const channel = await subscribe(one, newName());
    const all = collect(channel, 'said');
    for (let n = 0; n < 3; n += 1) one.unsubscribe(channel.name);
    await settle(one);
    await sdk.trigger(channel.name, 'said', {});
    await settle(one);
    expect(all).toEqual([]);
  });

  test('is not joined when unsubscribed before the response', async () => {
    const channel = one.subscribe(newName());
    const all = collect(channel, 'said');
    one.unsubscribe(channel.name);
    await settle(one);
    await sdk.trigger(channel.name, 'said', {});
    await settle(one);
    expect([channel.subscribed, all]).toEqual([false, []]);
  });

  test('is joined when unsubscribed and subscribed again before the response', async () => {
    const channel = one.subscribe(newName());
    one.unsubscribe(channel.name);
    one.subscribe(channel.name);
    await settle(one);
    const received = event(channel, 'said');
    await sdk.trigger(channel.name, 'said', {});
    await received;
    expect(channel.subscribed).toBe(true);
  });
});

describe.each(['private-', 'presence-'])('%s channel', (prefix) => {
  const state = (name: string) => {
    const { subscribed, subscriptionPending, subscriptionCancelled } = one.channel(name);
    return [subscribed, subscriptionPending, subscriptionCancelled];
  };
  const joined = [true, false, false];
  const asked = [false, true, false];
  const cancelled = [false, true, true];
  type Step = 'join' | 'leave' | 'wait';
  test.each<[Step[], boolean]>([
    [['join', 'join'], true],
    [['join', 'wait', 'join'], true],
    [['join', 'leave'], false],
    [['join', 'wait', 'leave'], false],
    [['join', 'leave', 'join'], true],
    [['join', 'leave', 'wait', 'join'], true],
    [['join', 'leave', 'leave'], false],
  ])('after %j is joined: %j', async (steps, isJoined) => {
    const name = newName(prefix);
    let isSettled = true;
    for (const step of steps) {
      if (step === 'wait') {
        await settle(one);
        isSettled = true;
      } else if (step === 'join') {
        const before = one.channel(name) as Channel | undefined;
        one.subscribe(name);
        expect(state(name)).toEqual(before?.subscribed ? joined : asked);
        isSettled = before?.subscribed === true;
      } else {
        one.unsubscribe(name);
        if (isSettled) expect(one.channel(name)).toBeUndefined();
        else expect(state(name)).toEqual(cancelled);
      }
    }
    await settle(one);
    // Unsubscribing right after joining takes effect a moment later.
    await settle(one);
    if (isJoined) expect(state(name)).toEqual(joined);
    else expect(one.channel(name)).toBeUndefined();
    expect(testServer.app.deps.live.hub!.channel(name)?.subscriptions ?? 0).toBe(isJoined ? 1 : 0);
  });

  test('delivers client events to the other client only', async () => {
    const name = newName(prefix);
    const [here, there] = [await subscribe(one, name), await subscribe(two, name)];
    const echoes = collect(here, 'client-said');
    const received = event(there, 'client-said');
    one.send_event('client-said', { foo: 'bar' }, name);
    expect(await received).toEqual({ foo: 'bar' });
    await settle(one);
    expect(echoes).toEqual([]);
  });
});

describe('presence channel', () => {
  test('returns the own member', async () => {
    const channel = one.subscribe(newName('presence-'));
    const members = await event<Members>(channel, 'pusher:subscription_succeeded');
    expect(members.me).toEqual(memberOf(one));
  });

  test('reports and counts joining and leaving members', async () => {
    const name = newName('presence-');
    const here = await subscribe<PresenceChannel>(one, name);
    expect(here.members.count).toBe(1);
    const came = event(here, 'pusher:member_added');
    const there = await subscribe<PresenceChannel>(two, name);
    expect(await came).toEqual(memberOf(two));
    expect([here.members.count, there.members.count]).toEqual([2, 2]);
    expect([here, there].map(({ members }) => members.get(idOf(two)) as unknown)).toEqual([
      memberOf(two),
      memberOf(two),
    ]);
    expect(there.members.get(idOf(one))).toEqual(memberOf(one));
    const went = event(there, 'pusher:member_removed');
    one.unsubscribe(name);
    expect(await went).toEqual(memberOf(one));
    expect(there.members.count).toBe(1);
    expect(there.members.get(idOf(one))).toBeNull();
  });

  test('delivers the user id with a client event', async () => {
    const name = newName('presence-');
    await subscribe(one, name);
    const there = await subscribe(two, name);
    const received = new Promise((resolve) => there.bind('client-said', (_: unknown, more: unknown) => resolve(more)));
    one.send_event('client-said', {}, name);
    expect(await received).toEqual({ user_id: idOf(one) });
  });
});

describe('signed-in user', () => {
  test('receives user events and is disconnected by an API call', async () => {
    two.signin();
    await two.user.signinDonePromise;
    await settle(two);
    const received = event(two.user, 'said');
    await sdk.sendToUser('ila', 'said', { n: 1 });
    expect(await received).toEqual({ n: 1 });
    const ended = event(two.connection, 'disconnected');
    await sdk.terminateUserConnections('ila');
    await ended;
    await settle(one);
    expect(one.connection.state).toBe('connected');
  });
});
