import Sdk from 'pusher';
import Pusher, { type Channel, type Members, type PresenceChannel } from 'pusher-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIALS } from './support/live-line.ts';
import { useStage } from './support/stage.ts';

// What the client's own suite tries against a service: two connections, three kinds of channels, subscribing and leaving in every
// order. The one who authorises signs data for private channels, too.
const stage = useStage({
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
  stage.clock.advance(Date.now() - stage.clock.now().getTime());
  await stage.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = stage.app.server.address() as { port: number };
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
const fresh = (prefix = '') => `${prefix}integration_${(names += 1)}`;
const event = <T>(source: { bind: (name: string, callback: (data: T) => void) => unknown }, name: string) =>
  new Promise<T>((resolve) => source.bind(name, resolve));

async function listening<T extends Channel = Channel>(device: Pusher, name: string): Promise<T> {
  const channel = device.subscribe(name);
  await event(channel, 'pusher:subscription_succeeded');
  return channel as T;
}

/** Everything sent before was worked on, both ways: a channel of its own is let in behind it. */
const settled = async (device: Pusher) => {
  await listening(device, fresh('settle-'));
};
const heard = (channel: Channel, name: string) => {
  const all: unknown[] = [];
  channel.bind(name, (data: unknown) => all.push(data));
  return all;
};

describe('a public channel', () => {
  test('brings what is published by call', async () => {
    const channel = await listening(one, fresh());
    const told = event(channel, 'said');
    await sdk.trigger(channel.name, 'said', { x: 1, y: 'z' });
    expect(await told).toEqual({ x: 1, y: 'z' });
  });

  test('brings nothing once it is left, and may be left more than once', async () => {
    const channel = await listening(one, fresh());
    const all = heard(channel, 'said');
    for (let n = 0; n < 3; n += 1) one.unsubscribe(channel.name);
    await settled(one);
    await sdk.trigger(channel.name, 'said', {});
    await settled(one);
    expect(all).toEqual([]);
  });

  test('is not joined when it is left before the answer', async () => {
    const channel = one.subscribe(fresh());
    const all = heard(channel, 'said');
    one.unsubscribe(channel.name);
    await settled(one);
    await sdk.trigger(channel.name, 'said', {});
    await settled(one);
    expect([channel.subscribed, all]).toEqual([false, []]);
  });

  test('is joined when it is left and asked for again before the answer', async () => {
    const channel = one.subscribe(fresh());
    one.unsubscribe(channel.name);
    one.subscribe(channel.name);
    await settled(one);
    const told = event(channel, 'said');
    await sdk.trigger(channel.name, 'said', {});
    await told;
    expect(channel.subscribed).toBe(true);
  });
});

describe.each(['private-', 'presence-'])('a channel called %s', (prefix) => {
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
  ])('asked to %j is joined: %j', async (steps, isJoined) => {
    const name = fresh(prefix);
    let isSettled = true;
    for (const step of steps) {
      if (step === 'wait') {
        await settled(one);
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
    await settled(one);
    // What is left as soon as it is joined is left a moment later.
    await settled(one);
    if (isJoined) expect(state(name)).toEqual(joined);
    else expect(one.channel(name)).toBeUndefined();
    expect(stage.app.deps.live.hub!.channel(name)?.subscriptions ?? 0).toBe(isJoined ? 1 : 0);
  });

  test('carries what one says to the other, and not back', async () => {
    const name = fresh(prefix);
    const [here, there] = [await listening(one, name), await listening(two, name)];
    const echoes = heard(here, 'client-said');
    const told = event(there, 'client-said');
    one.send_event('client-said', { foo: 'bar' }, name);
    expect(await told).toEqual({ foo: 'bar' });
    await settled(one);
    expect(echoes).toEqual([]);
  });
});

describe('a presence channel', () => {
  test('tells who one is oneself', async () => {
    const channel = one.subscribe(fresh('presence-'));
    const members = await event<Members>(channel, 'pusher:subscription_succeeded');
    expect(members.me).toEqual(memberOf(one));
  });

  test('tells who comes and who goes, and counts them', async () => {
    const name = fresh('presence-');
    const here = await listening<PresenceChannel>(one, name);
    expect(here.members.count).toBe(1);
    const came = event(here, 'pusher:member_added');
    const there = await listening<PresenceChannel>(two, name);
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

  test('says whose a client event is', async () => {
    const name = fresh('presence-');
    await listening(one, name);
    const there = await listening(two, name);
    const told = new Promise((resolve) => there.bind('client-said', (_: unknown, more: unknown) => resolve(more)));
    one.send_event('client-said', {}, name);
    expect(await told).toEqual({ user_id: idOf(one) });
  });
});

describe('a user who signs in', () => {
  test('hears what is sent to them alone, and is ended by a call', async () => {
    two.signin();
    await two.user.signinDonePromise;
    await settled(two);
    const told = event(two.user, 'said');
    await sdk.sendToUser('ila', 'said', { n: 1 });
    expect(await told).toEqual({ n: 1 });
    const ended = event(two.connection, 'disconnected');
    await sdk.terminateUserConnections('ila');
    await ended;
    await settled(one);
    expect(one.connection.state).toBe('connected');
  });
});
