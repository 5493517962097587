import Sdk from 'pusher';
import Pusher from 'pusher-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIALS, LiveClient } from './support/live-client.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer({
  env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret, PUSHER_EMBEDDED_API: '1' },
});

let device: Pusher;
let sdk: Sdk;
let port = 0;
beforeAll(async () => {
  // The client signs with the time of this machine.
  testServer.clock.advance(Date.now() - testServer.clock.now().getTime());
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  port = (testServer.app.server.address() as { port: number }).port;
  sdk = new Sdk({ appId: 'callboard', ...CREDENTIALS, host: '127.0.0.1', port: String(port), useTLS: false });
  device = new Pusher(CREDENTIALS.key, {
    cluster: 'ap2',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      transport: 'ajax',
      endpoint: '',
      customHandler: ({ socketId, channelName }, callback) => {
        const member = { user_id: 'ila', user_info: { name: 'Ila' } };
        callback(
          null,
          sdk.authorizeChannel(socketId, channelName, channelName.startsWith('presence-') ? member : undefined),
        );
      },
    },
  });
});
afterAll(() => device.disconnect());

const subscribe = (channel: string) =>
  new Promise<void>((resolve, reject) => {
    const subscribed = device.subscribe(channel);
    subscribed.bind('pusher:subscription_succeeded', () => resolve());
    subscribed.bind('pusher:subscription_error', reject);
  });
const next = (channel: string, event: string) => new Promise((resolve) => device.channel(channel).bind(event, resolve));

describe('client SDK for servers', () => {
  test('publishes to one channel, several channels and in a batch', async () => {
    await Promise.all([subscribe('news'), subscribe('private-crew')]);
    const received = [next('news', 'one'), next('private-crew', 'one')];
    expect(await (await sdk.trigger(['news', 'private-crew'], 'one', { n: 1 })).json()).toEqual({});
    expect(await Promise.all(received)).toEqual([{ n: 1 }, { n: 1 }]);
    const batch = [next('news', 'two'), next('private-crew', 'three')];
    await sdk.triggerBatch([
      { channel: 'news', name: 'two', data: { n: 2 } },
      { channel: 'private-crew', name: 'three', data: { n: 3 } },
    ]);
    expect(await Promise.all(batch)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  test('queries channels and subscribers', async () => {
    await Promise.all([subscribe('cast'), subscribe('presence-set')]);
    const get = async (path: string, params: Record<string, string> = {}) =>
      (await sdk.get({ path, params })).json() as Promise<unknown>;
    expect(await get('/channels/cast', { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(await get('/channels/nobody')).toEqual({ occupied: false });
    expect(await get('/channels', { filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
      channels: { 'presence-set': { user_count: 1 } },
    });
    expect(await get('/channels/presence-set/users')).toEqual({ users: [{ id: 'ila' }] });
    await expect(get('/channels/cast/users')).rejects.toMatchObject({ status: 400 });
  });

  test('returns channel information with a publish request', async () => {
    await subscribe('wings');
    const params = { info: 'subscription_count' };
    expect(await (await sdk.trigger(['wings', 'nobody'], 'one', {}, params)).json()).toEqual({
      channels: { wings: { subscription_count: 1 }, nobody: { subscription_count: 0 } },
    });
    const batch = [{ channel: 'wings', name: 'one', data: {}, ...params }];
    expect(await (await sdk.triggerBatch(batch)).json()).toEqual({ batch: [{ subscription_count: 1 }] });
  });

  test('excludes the socket that it names', async () => {
    const [one, two] = [new LiveClient(port), new LiveClient(port)];
    for (const client of [one, two]) await client.subscribe('news');
    await sdk.trigger('news', 'mine', {}, { socket_id: await one.id() });
    await two.frame('mine');
    await one.settle();
    expect(one.count('mine')).toBe(0);
    for (const client of [one, two]) client.end();
  });

  test('closes the sockets of one user only', async () => {
    const [one, two] = [new LiveClient(port), new LiveClient(port)];
    await one.signIn('ila');
    await two.signIn('dev');
    await sdk.terminateUserConnections('ila');
    expect(await one.closed).toBe(4009);
    await two.settle();
    two.end();
  });

  describe('request validation', () => {
    /** Sends a correctly signed call with any content. */
    const call = async (path: string, body?: string, more: Record<string, string> = {}) => {
      const method = body === undefined ? 'GET' : 'POST';
      const full = `/apps/callboard${path}`;
      const query = sdk.createSignedQueryString({ method, path: full, body, params: more });
      const headers = body === undefined ? undefined : { 'content-type': 'application/json' };
      return (await fetch(`http://127.0.0.1:${port}${full}?${query}`, { method, body, headers })).status;
    };
    const event = { name: 'one', channel: 'news', data: '{}' };

    test.each<[string, number, string, unknown]>([
      ['invalid JSON', 400, '/events', '{'],
      ['an empty object', 400, '/events', {}],
      ['an event without a channel', 400, '/events', { name: 'one', data: '{}' }],
      ['an event without a name', 400, '/events', { ...event, name: undefined }],
      ['a name of 201 letters', 400, '/events', { ...event, name: 'a'.repeat(201) }],
      ['data that is not a string', 400, '/events', { ...event, data: {} }],
      ['an invalid channel name', 400, '/events', { ...event, channel: 'a b' }],
      ['an unsupported channel type', 400, '/events', { ...event, channel: 'private-encrypted-a' }],
      ['an invalid socket id', 400, '/events', { ...event, socket_id: 'one' }],
      ['101 channels', 400, '/events', { ...event, channels: Array.from({ length: 101 }, (_, n) => `news-${n}`) }],
      ['100 channels', 200, '/events', { ...event, channels: Array.from({ length: 100 }, (_, n) => `news-${n}`) }],
      ['no socket to exclude', 200, '/events', { ...event, socket_id: null }],
      ['a batch of 11', 400, '/batch_events', { batch: Array.from({ length: 11 }, () => event) }],
      ['a batch of 10', 200, '/batch_events', { batch: Array.from({ length: 10 }, () => event) }],
      ['data of 100,001 bytes', 413, '/events', { ...event, data: 'a'.repeat(100_001) }],
      ['data of 100,000 bytes', 200, '/events', { ...event, data: 'a'.repeat(100_000) }],
      ['a body beyond a megabyte', 413, '/events', { ...event, data: 'a'.repeat(1024 * 1024) }],
      ['a user count outside presence channels', 400, '/events', { ...event, info: 'user_count' }],
    ])('answers %s with %d', async (_, status, path, body) => {
      expect(await call(path, typeof body === 'string' ? body : JSON.stringify(body))).toBe(status);
    });

    test('answers an invalid query with 400 and an unknown path with 404', async () => {
      expect(await call('/channels', undefined, { info: 'user_count' })).toBe(400);
      expect(await call('/channels/news', undefined, { info: 'user_count' })).toBe(400);
      expect(await call('/channels/news/users')).toBe(400);
      expect(await call('/channels', undefined, { filter_by_prefix: 'presence-', info: 'user_count' })).toBe(200);
      expect(await call('/elsewhere')).toBe(404);
    });

    test('answers an unsigned or altered call or another auth version with 401', async () => {
      const body = JSON.stringify(event);
      const path = '/apps/callboard/events';
      const query = sdk.createSignedQueryString({ method: 'POST', path, body });
      const send = async (signed: string, sent: string) =>
        (
          await fetch(`http://127.0.0.1:${port}${path}?${signed}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: sent,
          })
        ).status;
      expect(await send('', body)).toBe(401);
      expect(
        await send(
          query.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          body,
        ),
      ).toBe(401);
      expect(await send(query.replace('auth_version=1.0', 'auth_version=2.0'), body)).toBe(401);
      expect(await send(query, body.replace('one', 'two'))).toBe(401);
      expect(await send(query, body)).toBe(200);
    });
  });

  test.each([
    ['another secret', { secret: 'other' }, 401],
    ['another key', { key: 'other' }, 401],
    ['another app', { appId: 'other' }, 404],
  ])('rejects %s', async (_, changed, status) => {
    const misconfigured = new Sdk({
      appId: 'callboard',
      ...CREDENTIALS,
      ...changed,
      host: '127.0.0.1',
      port: String(port),
      useTLS: false,
    });
    await expect(misconfigured.trigger('news', 'one', {})).rejects.toMatchObject({ status });
  });

  test('rejects an expired call', async () => {
    testServer.clock.advance(11 * 60_000);
    await expect(sdk.trigger('news', 'one', {})).rejects.toMatchObject({ status: 401 });
    testServer.clock.advance(-11 * 60_000);
  });
});
