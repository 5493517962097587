import { once } from 'node:events';
import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { channelSignature } from '#server/live/channels.ts';
import type { Hub } from '#server/live/hub.ts';
import { block, connect } from './support/people.ts';
import { useStage, type Person } from './support/stage.ts';
import { viewerCalls } from './support/viewers.ts';

const CREDENTIALS = { key: 'stage-key', secret: 'stage-secret' };
const stage = useStage({
  env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret, PUSHER_EMBEDDED_CLIENT_EVENTS: '1' },
});
const { performer } = viewerCalls(stage);

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

interface Frame {
  event: string;
  channel?: string;
  data?: string;
}

/** A bare socket: frames as they came. */
class Line {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<number>;
  #waiting: (() => void)[] = [];
  #id: Promise<string> | undefined;

  constructor(
    path = `/app/${CREDENTIALS.key}?protocol=7&client=js&version=8.6.0`,
    headers: Record<string, string> = {},
  ) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      for (const look of this.#waiting.splice(0)) look();
    });
    this.closed = once(this.socket, 'close').then(([code]) => code as number);
    // One that is ended while it still opens says so.
    this.socket.on('error', () => undefined);
    opened.push({ close: () => this.socket.terminate() });
  }

  /** The first frame that fits, also one that came before. */
  async frame(event: string, channel?: string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(
        (each) => each.event === event && (channel === undefined || each.channel === channel),
      );
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  send(event: string, data: unknown, more: object = {}): void {
    this.socket.send(JSON.stringify({ event, data, ...more }));
  }

  id(): Promise<string> {
    return (this.#id ??= this.frame('pusher:connection_established').then(
      ({ data }) => (JSON.parse(data ?? '') as { socket_id: string }).socket_id,
    ));
  }

  /** Its answer to a ping: everything sent before was worked on by then. */
  async settle(): Promise<void> {
    const before = this.frames.filter(({ event }) => event === 'pusher:pong').length;
    this.send('pusher:ping', {});
    while (this.frames.filter(({ event }) => event === 'pusher:pong').length === before) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async subscribe(channel: string, channelData?: string): Promise<Frame> {
    const id = await this.id();
    const isPublic = !/^(private|presence)-/.test(channel);
    const auth = isPublic ? undefined : channelSignature(CREDENTIALS, id, channel, channelData);
    this.send('pusher:subscribe', { channel, auth, channel_data: channelData });
    return this.frame('pusher_internal:subscription_succeeded', channel);
  }
}

describe('the handshake', () => {
  test('says who the socket is and how long it may be silent, as the protocol wants it', async () => {
    const { data } = await new Line().frame('pusher:connection_established');
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
    expect(await new Line(path).closed).toBe(code);
  });

  test('takes pages of its own origin, those without one, and no others', async () => {
    const path = '/app/stage-key?protocol=7';
    expect(await new Line(path, { origin: 'https://elsewhere.example' }).closed).toBe(4009);
    await new Line(path, { origin: `http://127.0.0.1:${port}` }).id();
    await new Line(path).id();
  });

  test('ends an upgrade to anything else', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});

describe('frames', () => {
  test('that are no JSON, name no event or an unknown one are answered and harm nobody', async () => {
    const line = new Line();
    await line.id();
    for (const text of ['{', '"text"', '{"data":1}', '{"event":"nonsense"}']) line.socket.send(text);
    await line.settle();
    expect(line.frames.filter(({ event }) => event === 'pusher:error')).toHaveLength(4);
  });

  test('of bytes, or beyond a hundred thousand of them, end the socket', async () => {
    const bytes = new Line();
    await bytes.id();
    bytes.socket.send(Buffer.from('{}'));
    expect(await bytes.closed).toBe(1003);
    const long = new Line();
    await long.id();
    long.socket.send('a'.repeat(100_001));
    expect(await long.closed).toBe(1009);
  });
});

describe('channels', () => {
  test('bring what is published to who listens, and not to the socket that knows', async () => {
    const [one, two] = [new Line(), new Line()];
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
    const line = new Line();
    await line.subscribe('twice');
    line.send('pusher:subscribe', JSON.stringify({ channel: 'twice' }));
    await line.settle();
    expect(line.frames.filter(({ event }) => event === 'pusher_internal:subscription_succeeded')).toHaveLength(2);
    expect(hub().channels('twice')).toEqual([{ name: 'twice', subscriptions: 1, users: null }]);
  });

  test('that are private ask for a signature over socket, channel and data', async () => {
    const line = new Line();
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

  test.each([
    'private-encrypted-a',
    'cache-a',
    'private-cache-a',
    'presence-cache-a',
    '#server-to-user-1',
    'a b',
    'a'.repeat(201),
  ])('called %s are refused', async (channel) => {
    const line = new Line();
    await line.id();
    line.send('pusher:subscribe', { channel });
    const { data } = await line.frame('pusher:subscription_error', channel);
    expect(JSON.parse(data ?? '')).toMatchObject({ type: 'InvalidChannel', status: 400 });
  });

  test('of presence tell who comes and who goes, each person once', async () => {
    const data = (id: string) => JSON.stringify({ user_id: id, user_info: { name: id.toUpperCase() } });
    const watcher = new Line();
    const first = await watcher.subscribe('presence-set', data('w'));
    expect(JSON.parse(first.data ?? '')).toEqual({ presence: { ids: ['w'], hash: { w: { name: 'W' } }, count: 1 } });
    const [one, two] = [new Line(), new Line()];
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

  test('carry client events between those who listen, ten in a second', async () => {
    const [one, two] = [new Line(), new Line()];
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

/** A device as the app connects one. */
function deviceOf({ token }: Person): Pusher {
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
  });
  opened.push({ close: () => device.disconnect() });
  return device;
}

/** Subscribes and waits for what comes of it. */
const listening = (device: Pusher, channel: string) =>
  new Promise<number>((resolve) => {
    const subscribed = device.subscribe(channel);
    subscribed.bind('pusher:subscription_succeeded', () => resolve(200));
    subscribed.bind('pusher:subscription_error', ({ status }: { status: number }) => resolve(status));
  });

const next = <T = unknown>(device: Pusher, channel: string, event: string) =>
  new Promise<T>((resolve) => device.channel(channel).bind(`App\\Events\\${event}`, resolve));

describe('devices of the app', () => {
  test('are let into their own channel and their conversations alone', async () => {
    const [a, b, c] = [await performer(), await performer(), await performer()];
    await connect(stage, a, b);
    const [conversation] = (await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token }))
      .body;
    const chat = `private-chat.${conversation!.conversation_id}`;
    expect(await listening(deviceOf(a), `private-App.Models.User.${a.id}`)).toBe(200);
    expect(await listening(deviceOf(b), chat)).toBe(200);
    expect(await listening(deviceOf(c), chat)).toBe(403);
    expect(await listening(deviceOf(c), `private-App.Models.User.${a.id}`)).toBe(403);
    expect(await listening(deviceOf(c), 'private-chat.999999')).toBe(403);
    expect(await listening(deviceOf(c), 'private-elsewhere')).toBe(403);
  });

  test('hear of a message at once, but for the one that sent it', async () => {
    const [a, b] = [await performer(), await performer()];
    await connect(stage, a, b);
    const [conversation] = (await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token }))
      .body;
    const { conversation_id } = conversation!;
    const [sender, second, receiver] = [deviceOf(a), deviceOf(a), deviceOf(b)];
    const own = `private-App.Models.User.${a.id}`;
    await Promise.all([
      listening(sender, own),
      listening(second, own),
      listening(receiver, `private-chat.${conversation_id}`),
    ]);
    const heard: unknown[] = [];
    sender.channel(own).bind_global((event: string) => heard.push(event));
    const told = [next(second, own, 'MessageSent'), next(receiver, `private-chat.${conversation_id}`, 'MessageSent')];
    const sent = await stage.call<{ data: object }>('POST /chat/send', {
      token: a.token,
      headers: { 'x-socket-id': sender.connection.socket_id },
      body: { conversation_id, receiver_id: b.id, message: 'Places, please' },
    });
    expect(await Promise.all(told)).toEqual([{ message: sent.body.data }, { message: sent.body.data }]);
    // Whatever the first one was told came before this.
    const poked = next(sender, own, 'RecordsChanged');
    await stage.call('POST /chat/send', {
      token: b.token,
      body: { conversation_id, receiver_id: a.id, message: 'Thank you, places' },
    });
    await poked;
    expect(heard.filter((event) => event === 'App\\Events\\MessageSent')).toHaveLength(1);
  });

  test('find events under the names that Echo binds', async () => {
    const [a, b] = [await performer(), await performer()];
    await connect(stage, a, b);
    const [conversation] = (await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token }))
      .body;
    const { conversation_id } = conversation!;
    const echo = new Echo({ broadcaster: 'pusher', key: CREDENTIALS.key, client: deviceOf(b) });
    const told = new Promise((resolve) => {
      const channel = echo.private(`chat.${conversation_id}`);
      channel.listen('MessageSent', resolve);
      channel.subscribed(() => {
        void stage.call('POST /chat/send', {
          token: a.token,
          body: { conversation_id, receiver_id: b.id, message: 'Half hour, please' },
        });
      });
    });
    expect(await told).toMatchObject({ message: { message: 'Half hour, please', seq: 1 } });
  });

  test('are closed for good when their session is signed out, and others of the person are not', async () => {
    const a = await performer();
    const login = await stage.call<{ token: string }>('POST /login', {
      body: { email: a.email, password: a.password },
    });
    const [first, second] = [deviceOf(a), deviceOf({ ...a, token: login.body.token })];
    const own = `private-App.Models.User.${a.id}`;
    await Promise.all([listening(first, own), listening(second, own)]);
    const ended = new Promise<void>((resolve) => second.connection.bind('disconnected', () => resolve()));
    await stage.call('POST /logout', { token: login.body.token });
    await ended;
    expect(first.connection.state).toBe('connected');
  });

  test('hear nothing more of a conversation once one of the two has blocked the other', async () => {
    const [a, b] = [await performer(), await performer()];
    await connect(stage, a, b);
    const [conversation] = (await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: a.token }))
      .body;
    const channel = `private-chat.${conversation!.conversation_id}`;
    const device = deviceOf(b);
    await listening(device, channel);
    expect(hub().channels(channel)).toHaveLength(1);
    await block(stage, a, b);
    await expect.poll(() => hub().channels(channel)).toEqual([]);
    expect(await listening(deviceOf(b), channel)).toBe(403);
  });
});
