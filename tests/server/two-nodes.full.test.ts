import { randomUUID } from 'node:crypto';
import Pusher from 'pusher-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServerConfig } from '#contract/records/sync.ts';
import type { ChatPage, Message } from '#contract/records/chat.ts';
import { openLive } from '#realtime/live.ts';
import { openNodes, type Nodes } from './support/nodes.ts';
import { jpeg } from './support/pictures.ts';
import { ADULT } from '../support/adult.ts';
import { callServer, type ServerProcess } from './support/server-process.ts';

let nodes: Nodes;
let one: ServerProcess;
let two: ServerProcess;
beforeAll(async () => {
  nodes = await openNodes();
  // Both start at once on an empty database and migrate it in turns.
  [one, two] = await Promise.all([nodes.start('one'), nodes.start('two')]);
}, 60_000);
afterAll(() => nodes.close());

interface Member {
  id: string;
  token: string;
  email: string;
}
const PASSWORD = 'the ghost light stays on';
let people = 0;

async function join(at: ServerProcess): Promise<Member> {
  people += 1;
  const email = `person${people}@callboard.example`;
  const { body } = await callServer<{ token: string; user: { id: string } }>(at.url, 'POST /register', {
    body: { name: 'Ila Deshpande', email, password: PASSWORD, ...ADULT },
  });
  const types = await callServer<{ id: string }[]>(at.url, 'GET /profile_types');
  await callServer(at.url, 'POST /profile', {
    token: body.token,
    body: { profile_type_id: types.body[0]!.id, stage_name: 'Ila' },
  });
  return { id: body.user.id, token: body.token, email };
}

interface Pair {
  a: Member;
  b: Member;
  connectionId: string;
  conversationId: string;
}
/** Connects two people who use different nodes. */
async function addPair(): Promise<Pair> {
  const [a, b] = [await join(one), await join(two)];
  const requested = await callServer<{ data: { id: string } }>(one.url, `POST /connections/request/${b.id}`, a);
  const connectionId = requested.body.data.id;
  expect((await callServer(two.url, `POST /connections/accept/${connectionId}`, b)).status).toBe(200);
  const { body } = await callServer<{ conversation_id: string }[]>(one.url, 'GET /conversations', a);
  return { a, b, connectionId, conversationId: body[0]!.conversation_id };
}

const sendMessage = (
  at: ServerProcess,
  { a, b, conversationId }: Pair,
  message: string,
  more: { socket?: string; id?: string } = {},
) =>
  callServer<{ data: Message }>(at.url, 'POST /chat/send', {
    token: a.token,
    body: { conversation_id: conversationId, receiver_id: b.id, message, client_id: more.id ?? randomUUID() },
    ...(more.socket !== undefined && { headers: { 'x-socket-id': more.socket } }),
  });
const page = async (at: ServerProcess, { b, connectionId }: Pair) =>
  (await callServer<ChatPage>(at.url, `GET /chat/${connectionId}?limit=100`, b)).body.messages;

const opened: { disconnect: () => void }[] = [];
afterEach(() => {
  for (const device of opened.splice(0)) device.disconnect();
});

/** Connects a device like the app: the given node names the live service and authorizes channels. */
async function connectDevice({ token }: Member, at: ServerProcess): Promise<Pusher> {
  const { body } = await callServer<ServerConfig>(at.url, 'GET /config');
  const { key, cluster, host, port } = body.pusher!;
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  const device = new Pusher(key, {
    cluster,
    wsHost: host!,
    wsPort: port!,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: { transport: 'ajax', endpoint: `${at.url}/broadcasting/auth`, headers },
    userAuthentication: { transport: 'ajax', endpoint: `${at.url}/broadcasting/user-auth`, headers },
  });
  opened.push(device);
  device.signin();
  await device.user.signinDonePromise;
  return device;
}

/** Subscribes to the conversation and returns the live list of received messages. */
async function collectMessages(device: Pusher, { conversationId }: Pair): Promise<string[]> {
  const received: string[] = [];
  const channel = device.subscribe(`private-chat.${conversationId}`);
  channel.bind('App\\Events\\MessageSent', ({ message }: { message: Message }) => received.push(message.message));
  await new Promise<void>((resolve, reject) => {
    channel.bind('pusher:subscription_succeeded', () => resolve());
    channel.bind('pusher:subscription_error', reject);
  });
  return received;
}

describe('activity at one node', () => {
  test('reaches sockets of people at the other node, except the sending socket', async () => {
    const between = await addPair();
    const [mine, theirs] = [await connectDevice(between.a, one), await connectDevice(between.b, two)];
    const [own, received] = [await collectMessages(mine, between), await collectMessages(theirs, between)];
    await sendMessage(one, between, 'Places, please', { socket: mine.connection.socket_id });
    await expect.poll(() => received).toEqual(['Places, please']);
    await sendMessage(two, between, 'Thank you, places');
    await expect.poll(() => received).toEqual(['Places, please', 'Thank you, places']);
    expect(own).toEqual(['Thank you, places']);
  });

  test('is visible at the other: accounts, replayed responses and files', async () => {
    const member = await join(one);
    const login = await callServer<{ token: string }>(two.url, 'POST /login', {
      body: { email: member.email, password: PASSWORD },
    });
    expect(login.status).toBe(200);
    const body = { profile_type_id: '2', stage_name: 'Again' };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await callServer<{ data: { id: string } }>(one.url, 'POST /profile', { ...member, body, headers });
    const again = await callServer<{ data: { id: string } }>(two.url, 'POST /profile', { ...member, body, headers });
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);

    const form = new FormData();
    form.set('profileId', first.body.data.id);
    form.set('image', new Blob([Buffer.from(await jpeg(60, 40))], { type: 'image/jpeg' }), 'face.jpg');
    const authorization = `Bearer ${member.token}`;
    const stored = await fetch(`${one.url}/profile/avatar`, { method: 'POST', headers: { authorization }, body: form });
    const { profile_photo: photo } = (await stored.json()) as { profile_photo: string };
    const [here, there] = await Promise.all(
      [one, two].map(async ({ url }) => {
        const file = await fetch(url + photo);
        return { status: file.status, bytes: Buffer.from(await file.arrayBuffer()) };
      }),
    );
    expect(here?.status).toBe(200);
    expect(there).toEqual(here);
  });

  test('closes the sockets of people who sign out or are blocked', async () => {
    const between = await addPair();
    const [mine, theirs] = [await connectDevice(between.a, one), await connectDevice(between.b, two)];
    await collectMessages(theirs, between);
    const ended = (device: Pusher) =>
      new Promise<void>((resolve) => device.connection.bind('disconnected', () => resolve()));
    const [mineEnded, theirsEnded] = [ended(mine), ended(theirs)];
    await callServer(one.url, `POST /blocks/${between.b.id}`, between.a);
    await theirsEnded;
    await callServer(two.url, 'POST /logout', between.a);
    await mineEnded;
    // The blocked person cannot rejoin the channel.
    const again = await connectDevice(between.b, two);
    await expect(collectMessages(again, between)).rejects.toMatchObject({ status: 403 });
  });
});

test('reconnects the app when another device of the person signs out, but not the signed-out device', async () => {
  const between = await addPair();
  const { b } = between;
  const login = await callServer<{ token: string }>(one.url, 'POST /login', {
    body: { email: b.email, password: PASSWORD },
  });
  const connectApp = async (token: string) => {
    const { body } = await callServer<ServerConfig>(two.url, 'GET /config');
    const events = { back: 0, changed: 0, messages: [] as unknown[] };
    const live = openLive({
      pusher: body.pusher!,
      apiBase: two.url,
      userId: b.id,
      token: () => token,
      handlers: {
        onMessage: (message) => events.messages.push(message),
        onReceipt: () => undefined,
        onChange: () => (events.changed += 1),
        onConnected: () => (events.back += 1),
      },
    });
    opened.push({ disconnect: () => live.close() });
    await expect.poll(() => events.back).toBe(1);
    return events;
  };
  const [stays, goes] = [await connectApp(b.token), await connectApp(login.body.token)];
  await callServer(one.url, 'POST /logout', login.body);
  await expect.poll(() => stays.back, { timeout: 10_000 }).toBe(2);
  expect(goes.changed).toBeGreaterThan(0);
  await sendMessage(one, between, 'Back to one');
  await expect.poll(() => stays.messages).toMatchObject([{ message: 'Back to one' }]);
  expect([goes.back, goes.messages]).toEqual([1, []]);
});

describe('stopping node', () => {
  beforeEach(() => {
    nodes.gate.isOpen = true;
  });

  test('loses no message when it is killed while publishing', async () => {
    const between = await addPair();
    const received = await collectMessages(await connectDevice(between.b, two), between);
    nodes.gate.isOpen = false;
    const isPublishing = nodes.gate.nextRequest();
    expect((await sendMessage(one, between, 'Half hour, please')).status).toBe(201);
    await isPublishing;
    await one.end('SIGKILL');
    nodes.gate.isOpen = true;
    await expect.poll(() => received, { timeout: 20_000 }).toContain('Half hour, please');
    expect((await page(two, between)).map(({ message }) => message)).toEqual(['Half hour, please']);
    one = await nodes.start('one');
    expect(await page(one, between)).toEqual(await page(two, between));
  });

  test('loses no message when all nodes are killed while publishing', async () => {
    const between = await addPair();
    const received = await collectMessages(await connectDevice(between.b, two), between);
    nodes.gate.isOpen = false;
    const isPublishing = nodes.gate.nextRequest();
    expect((await sendMessage(two, between, 'Beginners, please')).status).toBe(201);
    await isPublishing;
    await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')]);
    expect(received).toEqual([]);
    nodes.gate.isOpen = true;
    [one, two] = await Promise.all([nodes.start('one'), nodes.start('two')]);
    await expect.poll(() => received, { timeout: 20_000 }).toContain('Beginners, please');
    expect(await page(two, between)).toMatchObject([{ seq: 1, message: 'Beginners, please' }]);
  });

  test('stores and publishes each message once and in order across a restart', async () => {
    const between = await addPair();
    const received = await collectMessages(await connectDevice(between.b, two), between);
    /** Sends like a device: repeats the same message until a node accepts it. */
    const deliver = async (message: string, n: number) => {
      const id = randomUUID();
      for (let attempt = n; ; attempt += 1) {
        const answer = await sendMessage(attempt % 2 === 0 ? one : two, between, message, { id }).catch(() => null);
        if (answer !== null && answer.status < 300) return;
      }
    };
    const texts = Array.from({ length: 40 }, (_, n) => `Cue ${n}`);
    const sending = (async () => {
      for (let n = 0; n < texts.length; n += 4) {
        await Promise.all(texts.slice(n, n + 4).map((text, more) => deliver(text, n + more)));
      }
    })();
    expect(await one.end('SIGTERM')).toBe(0);
    one = await nodes.start('one');
    await sending;
    const messages = await page(one, between);
    expect(messages.map(({ seq }) => seq)).toEqual(texts.map((_, n) => n + 1));
    expect(messages.map(({ message }) => message).sort()).toEqual([...texts].sort());
    await expect.poll(() => [...new Set(received)].sort(), { timeout: 20_000 }).toEqual([...texts].sort());
  });
});
