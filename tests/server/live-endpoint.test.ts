import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { channelSignature } from '#server/platform/live/channels.ts';
import type { Hub } from '#server/platform/live/hub.ts';
import { CREDENTIALS, Line } from './support/live-line.ts';
import { useStage } from './support/stage.ts';

const stage = useStage({
  env: {
    PUSHER_KEY: CREDENTIALS.key,
    PUSHER_SECRET: CREDENTIALS.secret,
    PUSHER_EMBEDDED_API: '1',
    PUSHER_EMBEDDED_CLIENT_EVENTS: '1',
  },
});

let port = 0;
beforeAll(async () => {
  await stage.app.listen({ port: 0, host: '127.0.0.1' });
  port = (stage.app.server.address() as { port: number }).port;
});

const hub = (): Hub => stage.app.deps.live.hub!;
const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** A bare socket, ended with its test. */
function open(path?: string, headers: Record<string, string> = {}): Line {
  const line = new Line(port, path, { headers });
  opened.push({ close: () => line.end() });
  return line;
}

describe('the handshake', () => {
  test('says who the socket is and how long it may be silent, as the protocol wants it', async () => {
    const { data } = await open().frame('pusher:connection_established');
    expect(JSON.parse(data ?? '')).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/) as string,
      activity_timeout: 120,
    });
  });

  test.each([
    ['another key', '/app/other?protocol=7', 4001],
    ['no protocol', '/app/stage-key', 4008],
    ['a protocol that is no number', '/app/stage-key?protocol=seven', 4006],
    ['an older protocol', '/app/stage-key?protocol=5', 4007],
    ['a longer path', '/app/stage-key/more?protocol=7', 4005],
  ])('refuses %s with its code', async (_, path, code) => {
    expect(await open(path).closed).toBe(code);
  });

  test('takes pages of its own origin, those without one, and no others', async () => {
    const path = '/app/stage-key?protocol=7';
    expect(await open(path, { origin: 'https://elsewhere.example' }).closed).toBe(4009);
    await open(path, { origin: `http://127.0.0.1:${port}` }).id();
    await open(path).id();
  });

  test('ends an upgrade to anything else', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});

const UNREADABLE = [
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
  test('that are no JSON, name no event or an unknown one are answered and harm nobody', async () => {
    const line = open();
    await line.id();
    for (const text of UNREADABLE) line.socket.send(text);
    await line.settle();
    expect(line.count('pusher:error')).toBe(UNREADABLE.length);
  });

  test('of bytes, or beyond a hundred thousand of them, end the socket', async () => {
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
  test('bring what is published to who listens, and not to the socket that knows', async () => {
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
    const line = open();
    await line.subscribe('twice');
    line.send('pusher:subscribe', JSON.stringify({ channel: 'twice' }));
    await line.settle();
    expect(line.frames.filter(({ event }) => event === 'pusher_internal:subscription_succeeded')).toHaveLength(2);
    expect(hub().channels('twice')).toEqual([{ name: 'twice', subscriptions: 1, users: null }]);
  });

  test('that are private are let in where the client sends null for the data it leaves out', async () => {
    const line = open();
    const auth = channelSignature(CREDENTIALS, await line.id(), 'private-a');
    line.send('pusher:subscribe', { channel: 'private-a', auth, channel_data: null });
    expect(await line.frame('pusher_internal:subscription_succeeded', 'private-a')).toBeDefined();
  });

  test('that are private ask for a signature over socket, channel and data', async () => {
    const line = open();
    const id = await line.id();
    const refused = async (channel: string, auth: string | undefined, channel_data?: string) => {
      line.frames.length = 0;
      line.send('pusher:subscribe', { channel, auth, channel_data });
      const { data } = await line.frame('pusher:subscription_error', channel);
      return JSON.parse(data ?? '') as object;
    };
    const fits = (socketId: string, channel: string, data?: string) =>
      channelSignature(CREDENTIALS, socketId, channel, data);
    const error = { type: 'AuthError', error: 'The signature does not fit', status: 401 };
    expect(await refused('private-a', undefined)).toEqual(error);
    expect(await refused('private-a', fits('1.2', 'private-a'))).toEqual(error);
    expect(await refused('private-a', fits(id, 'private-b'))).toEqual(error);
    expect(await refused('private-a', fits(id, 'private-a'), '{"user_id":"1"}')).toEqual(error);
    await line.subscribe('private-a', '{"user_id":"1"}');
  });

  test.each(['private-encrypted-a', 'cache-a', 'private-cache-a', 'presence-cache-a', 'a b', 'a'.repeat(201)])(
    'called %s are refused',
    async (channel) => {
      const line = open();
      await line.id();
      line.send('pusher:subscribe', { channel });
      const { data } = await line.frame('pusher:subscription_error', channel);
      expect(JSON.parse(data ?? '')).toMatchObject({ type: 'InvalidChannel', status: 400 });
    },
  );

  test('of presence tell who comes and who goes, each person once', async () => {
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

  test('of presence ask for data that fits, and take a hundred people', async () => {
    const data = (id: number | string, more: object = {}) => JSON.stringify({ user_id: id, ...more });
    const refused = async (channelData: string | undefined) => {
      const line = open();
      const auth = channelSignature(CREDENTIALS, await line.id(), 'presence-crowd', channelData);
      line.send('pusher:subscribe', { channel: 'presence-crowd', auth, channel_data: channelData });
      return line.told('pusher:subscription_error');
    };
    const error = { type: 'AuthError', status: 401 };
    expect(await refused(undefined)).toMatchObject(error);
    expect(await refused('{')).toMatchObject(error);
    expect(await refused('{"user_info":{}}')).toMatchObject(error);
    const much = data('a', { user_info: 'x'.repeat(2048) });
    expect(await refused(much)).toMatchObject({ type: 'LimitReached', status: 413 });
    const lines = Array.from({ length: 100 }, () => open());
    await Promise.all(lines.map((line, n) => line.subscribe('presence-crowd', data(n))));
    expect(await refused(data('one more'))).toMatchObject({ type: 'LimitReached', status: 403 });
    const again = open();
    const { data: told } = await again.subscribe('presence-crowd', data(7));
    expect((JSON.parse(told ?? '') as { presence: { count: number } }).presence.count).toBe(100);
  });

  test('are two hundred for one socket at most', async () => {
    const line = open();
    for (let n = 0; n < 200; n += 1) await line.subscribe(`news-${n}`);
    line.send('pusher:subscribe', { channel: 'news-200' });
    expect(await line.told('pusher:subscription_error')).toMatchObject({ type: 'LimitReached' });
    line.send('pusher:unsubscribe', { channel: 'news-0' });
    line.send('pusher:unsubscribe', { channel: 'never joined' });
    await line.subscribe('news-200');
  });

  test.each<[string, string, string | undefined]>([
    ['public ones', 'client-said', 'news'],
    ['one not listened to', 'client-said', 'private-elsewhere'],
    ['no channel', 'client-said', undefined],
    ['one listened to, under a name of 201 letters', `client-${'a'.repeat(194)}`, 'private-talk'],
  ])('carry no client events to %s', async (_, name, channel) => {
    const [one, two] = [open(), open()];
    for (const line of [one, two]) {
      await line.subscribe('news');
      await line.subscribe('private-talk');
    }
    one.send(name, {}, { channel });
    expect(await one.told('pusher:error')).toMatchObject({ code: 4301 });
    await two.settle();
    expect(two.count(name)).toBe(0);
    expect(one.socket.readyState).toBe(one.socket.OPEN);
  });

  test('carry client events between those who listen, ten in a second', async () => {
    const [one, two] = [open(), open()];
    for (const line of [one, two]) await line.subscribe('private-talk');
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
