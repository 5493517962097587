import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { channelSignature } from '#server/platform/live/channels.ts';
import type { Hub } from '#server/platform/live/hub.ts';
import { CREDENTIALS, LiveClient } from './support/live-client.ts';
import { useTestServer } from './support/test-server.ts';

const lines: string[] = [];
const testServer = useTestServer({
  log: pino({ level: 'info', base: undefined }, { write: (line) => lines.push(line) }),
  env: {
    PUSHER_KEY: CREDENTIALS.key,
    PUSHER_SECRET: CREDENTIALS.secret,
    PUSHER_EMBEDDED_API: '1',
    PUSHER_EMBEDDED_CLIENT_EVENTS: '1',
  },
});

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
function open(path?: string, headers: Record<string, string> = {}): LiveClient {
  const client = new LiveClient(port, path, { headers });
  opened.push({ close: () => client.end() });
  return client;
}

describe('the handshake', () => {
  test('sends the socket id and the activity timeout', async () => {
    const { data } = await open().frame('pusher:connection_established');
    expect(JSON.parse(data ?? '')).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/) as string,
      activity_timeout: 120,
    });
  });

  test.each([
    ['another key', '/app/other?protocol=7', 4001],
    ['no protocol', '/app/stage-key', 4008],
    ['a protocol that is not a number', '/app/stage-key?protocol=seven', 4006],
    ['an older protocol', '/app/stage-key?protocol=5', 4007],
    ['a longer path', '/app/stage-key/more?protocol=7', 4005],
  ])('rejects %s with its code', async (_, path, code) => {
    expect(await open(path).closed).toBe(code);
  });

  test('accepts its own origin or none and rejects others', async () => {
    const path = '/app/stage-key?protocol=7';
    lines.length = 0;
    expect(await open(path, { origin: 'https://elsewhere.example' }).closed).toBe(4009);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ code: 4009, ip: '127.0.0.1', msg: 'a socket was refused' }),
    ]);
    await open(path, { origin: `http://127.0.0.1:${port}` }).id();
    await open(path).id();
  });

  test('rejects an upgrade on any other path', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});

const INVALID_FRAMES = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"data":1}',
  '{"event":7}',
  '{"event":"nonsense"}',
  '{"event":"pusher:subscribe"}',
  '{"event":"pusher:subscribe","data":"{"}',
  '{"event":"pusher:subscribe","data":{"channel":7}}',
  '{"event":"client-said","channel":{}}',
  '['.repeat(50_000),
];

describe('frames', () => {
  test('answers invalid JSON and missing or unknown events with an error', async () => {
    const client = open();
    await client.id();
    for (const text of INVALID_FRAMES) client.socket.send(text);
    await client.settle();
    expect(client.count('pusher:error')).toBe(INVALID_FRAMES.length);
  });

  test('closes the socket on a binary frame or one over 100,000 bytes', async () => {
    const bytes = open();
    await bytes.id();
    bytes.socket.send(Buffer.from('{}'));
    expect(await bytes.closed).toBe(1003);
    const long = open();
    await long.id();
    long.socket.send('a'.repeat(100_001));
    expect(await long.closed).toBe(1009);
  });
});

describe('channels', () => {
  test('deliver an event to all subscribers except the excluded socket', async () => {
    const [one, two] = [open(), open()];
    await one.subscribe('news');
    await two.subscribe('news');
    expect(hub().publish({ channels: ['news'], event: 'Said', data: '{"n":1}', except: await one.id() })).toBe(1);
    expect(await two.frame('Said')).toEqual({ event: 'Said', channel: 'news', data: '{"n":1}' });
    await one.settle();
    expect(one.frames.some(({ event }) => event === 'Said')).toBe(false);
    two.send('pusher:unsubscribe', { channel: 'news' });
    await two.settle();
    expect(hub().publish({ channels: ['news'], event: 'Said', data: '{}' })).toBe(1);
  });

  test('count a socket once, however often it subscribes', async () => {
    const client = open();
    await client.subscribe('twice');
    client.send('pusher:subscribe', JSON.stringify({ channel: 'twice' }));
    await client.settle();
    expect(client.frames.filter(({ event }) => event === 'pusher_internal:subscription_succeeded')).toHaveLength(2);
    expect(hub().channels('twice')).toEqual([{ name: 'twice', subscriptions: 1, users: null }]);
  });

  test('accept null in place of missing channel data', async () => {
    const client = open();
    const auth = channelSignature(CREDENTIALS, await client.id(), 'private-a');
    client.send('pusher:subscribe', { channel: 'private-a', auth, channel_data: null });
    expect(await client.frame('pusher_internal:subscription_succeeded', 'private-a')).toBeDefined();
  });

  test('require a signature over socket, channel and data when they are private', async () => {
    const client = open();
    const id = await client.id();
    const refused = async (channel: string, auth: string | undefined, channel_data?: string) => {
      client.frames.length = 0;
      client.send('pusher:subscribe', { channel, auth, channel_data });
      const { data } = await client.frame('pusher:subscription_error', channel);
      return JSON.parse(data ?? '') as object;
    };
    const sign = (socketId: string, channel: string, data?: string) =>
      channelSignature(CREDENTIALS, socketId, channel, data);
    const error = { type: 'AuthError', error: 'The signature does not fit', status: 401 };
    expect(await refused('private-a', undefined)).toEqual(error);
    expect(await refused('private-a', sign('1.2', 'private-a'))).toEqual(error);
    expect(await refused('private-a', sign(id, 'private-b'))).toEqual(error);
    expect(await refused('private-a', sign(id, 'private-a'), '{"user_id":"1"}')).toEqual(error);
    await client.subscribe('private-a', '{"user_id":"1"}');
  });

  test.each(['private-encrypted-a', 'cache-a', 'private-cache-a', 'presence-cache-a', 'a b', 'a'.repeat(201)])(
    'reject the name %s',
    async (channel) => {
      const client = open();
      await client.id();
      client.send('pusher:subscribe', { channel });
      const { data } = await client.frame('pusher:subscription_error', channel);
      expect(JSON.parse(data ?? '')).toMatchObject({ type: 'InvalidChannel', status: 400 });
    },
  );

  test('report a joining and leaving person once on presence channels', async () => {
    const data = (id: string) => JSON.stringify({ user_id: id, user_info: { name: id.toUpperCase() } });
    const watcher = open();
    const first = await watcher.subscribe('presence-set', data('w'));
    expect(JSON.parse(first.data ?? '')).toEqual({ presence: { ids: ['w'], hash: { w: { name: 'W' } }, count: 1 } });
    const [one, two] = [open(), open()];
    await one.subscribe('presence-set', data('a'));
    await two.subscribe('presence-set', data('a'));
    one.socket.close();
    await one.closed;
    two.socket.close();
    const gone = await watcher.frame('pusher_internal:member_removed');
    expect(JSON.parse(gone.data ?? '')).toEqual({ user_id: 'a' });
    expect(watcher.frames.filter(({ event }) => event === 'pusher_internal:member_added')).toHaveLength(1);
    expect(watcher.frames.filter(({ event }) => event === 'pusher_internal:member_removed')).toHaveLength(1);
  });

  test('require valid presence data and limit a presence channel to a hundred people', async () => {
    const data = (id: number | string, more: object = {}) => JSON.stringify({ user_id: id, ...more });
    const refused = async (channelData: string | undefined) => {
      const client = open();
      const auth = channelSignature(CREDENTIALS, await client.id(), 'presence-crowd', channelData);
      client.send('pusher:subscribe', { channel: 'presence-crowd', auth, channel_data: channelData });
      return client.receive('pusher:subscription_error');
    };
    const error = { type: 'AuthError', status: 401 };
    expect(await refused(undefined)).toMatchObject(error);
    expect(await refused('{')).toMatchObject(error);
    expect(await refused('{"user_info":{}}')).toMatchObject(error);
    const much = data('a', { user_info: 'x'.repeat(2048) });
    expect(await refused(much)).toMatchObject({ type: 'LimitReached', status: 413 });
    const clients = Array.from({ length: 100 }, () => open());
    await Promise.all(clients.map((client, n) => client.subscribe('presence-crowd', data(n))));
    expect(await refused(data('one more'))).toMatchObject({ type: 'LimitReached', status: 403 });
    const again = open();
    const { data: presence } = await again.subscribe('presence-crowd', data(7));
    expect((JSON.parse(presence ?? '') as { presence: { count: number } }).presence.count).toBe(100);
  });

  test('limits a socket to 200 channels', async () => {
    const client = open();
    for (let n = 0; n < 200; n += 1) await client.subscribe(`news-${n}`);
    client.send('pusher:subscribe', { channel: 'news-200' });
    expect(await client.receive('pusher:subscription_error')).toMatchObject({ type: 'LimitReached' });
    client.send('pusher:unsubscribe', { channel: 'news-0' });
    client.send('pusher:unsubscribe', { channel: 'never joined' });
    await client.subscribe('news-200');
  });

  test.each<[string, string, string | undefined]>([
    ['a public channel', 'client-said', 'news'],
    ['a channel the socket has not joined', 'client-said', 'private-elsewhere'],
    ['no channel', 'client-said', undefined],
    ['a joined channel, with a name of 201 letters', `client-${'a'.repeat(194)}`, 'private-talk'],
  ])('deliver no client events to %s', async (_, name, channel) => {
    const [one, two] = [open(), open()];
    for (const client of [one, two]) {
      await client.subscribe('news');
      await client.subscribe('private-talk');
    }
    one.send(name, {}, { channel });
    expect(await one.receive('pusher:error')).toMatchObject({ code: 4301 });
    await two.settle();
    expect(two.count(name)).toBe(0);
    expect(one.socket.readyState).toBe(one.socket.OPEN);
  });

  test('deliver at most ten client events per second between subscribers', async () => {
    const [one, two] = [open(), open()];
    for (const client of [one, two]) await client.subscribe('private-talk');
    for (let n = 0; n < 12; n += 1) one.send('client-said', { n }, { channel: 'private-talk' });
    await one.settle();
    await two.settle();
    expect(two.frames.filter(({ event }) => event === 'client-said')).toHaveLength(10);
    expect(one.frames.some(({ event }) => event === 'client-said')).toBe(false);
    expect(one.frames.filter(({ event }) => event === 'pusher:error')).toHaveLength(2);
    two.send('client-said', {}, { channel: 'private-elsewhere' });
    await two.settle();
    expect(two.frames.some(({ event }) => event === 'pusher:error')).toBe(true);
  });
});
