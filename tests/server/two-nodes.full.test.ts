import { randomUUID } from 'node:crypto';
import Pusher from 'pusher-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServerConfig } from '#contract/records/sync.ts';
import type { ChatPage, Message } from '#contract/records/chat.ts';
import { openLive } from '#realtime/live.ts';
import { openNodes, type Nodes } from './support/nodes.ts';
import { jpeg } from './support/pictures.ts';
import { callServer, type ServerProcess } from './support/server-process.ts';

let nodes: Nodes;
let one: ServerProcess;
let two: ServerProcess;
beforeAll(async () => {
  nodes = await openNodes();
  // At once, on an empty database: they bring it up in turns.
  [one, two] = await Promise.all([nodes.start('one'), nodes.start('two')]);
}, 60_000);
afterAll(() => nodes.close());

interface Somebody {
  id: string;
  token: string;
  email: string;
}
const PASSWORD = 'the ghost light stays on';
let people = 0;

async function join(at: ServerProcess): Promise<Somebody> {
  people += 1;
  const email = `person${people}@callboard.example`;
  const { body } = await callServer<{ token: string; user: { id: string } }>(at.url, 'POST /register', {
    body: { name: 'Ila Deshpande', email, password: PASSWORD },
  });
  const types = await callServer<{ id: string }[]>(at.url, 'GET /profile_types');
  await callServer(at.url, 'POST /profile', {
    token: body.token,
    body: { profile_type_id: types.body[0]!.id, stage_name: 'Ila' },
  });
  return { id: body.user.id, token: body.token, email };
}

interface Pair {
  a: Somebody;
  b: Somebody;
  connectionId: string;
  conversationId: string;
}
/** Each asks another node. */
async function pair(): Promise<Pair> {
  const [a, b] = [await join(one), await join(two)];
  const asked = await callServer<{ data: { id: string } }>(one.url, `POST /connections/request/${b.id}`, a);
  const connectionId = asked.body.data.id;
  expect((await callServer(two.url, `POST /connections/accept/${connectionId}`, b)).status).toBe(200);
  const { body } = await callServer<{ conversation_id: string }[]>(one.url, 'GET /conversations', a);
  return { a, b, connectionId, conversationId: body[0]!.conversation_id };
}

const say = (
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

/** A device as the app connects one: told by a node where the service is, let in by that node. */
async function deviceOf({ token }: Somebody, at: ServerProcess): Promise<Pusher> {
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

/** Listens in the conversation. @returns all messages it hears, in the order they come */
async function hear(device: Pusher, { conversationId }: Pair): Promise<string[]> {
  const heard: string[] = [];
  const channel = device.subscribe(`private-chat.${conversationId}`);
  channel.bind('App\\Events\\MessageSent', ({ message }: { message: Message }) => heard.push(message.message));
  await new Promise<void>((resolve, reject) => {
    channel.bind('pusher:subscription_succeeded', () => resolve());
    channel.bind('pusher:subscription_error', reject);
  });
  return heard;
}

describe('what happens at one node', () => {
  test('reaches a socket that the service holds for somebody of another, and not the one that did it', async () => {
    const between = await pair();
    const [mine, theirs] = [await deviceOf(between.a, one), await deviceOf(between.b, two)];
    const [own, heard] = [await hear(mine, between), await hear(theirs, between)];
    await say(one, between, 'Places, please', { socket: mine.connection.socket_id });
    await expect.poll(() => heard).toEqual(['Places, please']);
    await say(two, between, 'Thank you, places');
    await expect.poll(() => heard).toEqual(['Places, please', 'Thank you, places']);
    expect(own).toEqual(['Thank you, places']);
  });

  test('is there at the other: people, answers to repeats, and files, byte for byte', async () => {
    const somebody = await join(one);
    const login = await callServer<{ token: string }>(two.url, 'POST /login', {
      body: { email: somebody.email, password: PASSWORD },
    });
    expect(login.status).toBe(200);
    const body = { profile_type_id: '2', stage_name: 'Again' };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await callServer<{ data: { id: string } }>(one.url, 'POST /profile', { ...somebody, body, headers });
    const again = await callServer<{ data: { id: string } }>(two.url, 'POST /profile', { ...somebody, body, headers });
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);

    const form = new FormData();
    form.set('profileId', first.body.data.id);
    form.set('image', new Blob([Buffer.from(await jpeg(60, 40))], { type: 'image/jpeg' }), 'face.jpg');
    const authorization = `Bearer ${somebody.token}`;
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

  test('ends sockets at the service: of who signs out, and of who is blocked', async () => {
    const between = await pair();
    const [mine, theirs] = [await deviceOf(between.a, one), await deviceOf(between.b, two)];
    await hear(theirs, between);
    const ended = (device: Pusher) =>
      new Promise<void>((resolve) => device.connection.bind('disconnected', () => resolve()));
    const [iAmOut, theyAreOut] = [ended(mine), ended(theirs)];
    await callServer(one.url, `POST /blocks/${between.b.id}`, between.a);
    await theyAreOut;
    await callServer(two.url, 'POST /logout', between.a);
    await iAmOut;
    // Nobody comes back in with what they held before.
    const again = await deviceOf(between.b, two);
    await expect(hear(again, between)).rejects.toMatchObject({ status: 403 });
  });
});

test('the app comes back when another device of its person was signed out, and that one does not', async () => {
  const between = await pair();
  const { b } = between;
  const login = await callServer<{ token: string }>(one.url, 'POST /login', {
    body: { email: b.email, password: PASSWORD },
  });
  const appOf = async (token: string) => {
    const { body } = await callServer<ServerConfig>(two.url, 'GET /config');
    const told = { back: 0, changed: 0, messages: [] as unknown[] };
    const live = openLive({
      pusher: body.pusher!,
      apiBase: two.url,
      userId: b.id,
      token: () => token,
      hearing: {
        message: (message) => told.messages.push(message),
        receipt: () => undefined,
        changed: () => (told.changed += 1),
        back: () => (told.back += 1),
      },
    });
    opened.push({ disconnect: () => live.close() });
    await expect.poll(() => told.back).toBe(1);
    return told;
  };
  const [stays, goes] = [await appOf(b.token), await appOf(login.body.token)];
  await callServer(one.url, 'POST /logout', login.body);
  await expect.poll(() => stays.back, { timeout: 10_000 }).toBe(2);
  expect(goes.changed).toBeGreaterThan(0);
  await say(one, between, 'Back to one');
  await expect.poll(() => stays.messages).toMatchObject([{ message: 'Back to one' }]);
  expect([goes.back, goes.messages]).toEqual([1, []]);
});

describe('a node that goes', () => {
  beforeEach(() => {
    nodes.gate.isOpen = true;
  });

  test('killed amid publishing: the other one publishes, and the message is there', async () => {
    const between = await pair();
    const heard = await hear(await deviceOf(between.b, two), between);
    nodes.gate.isOpen = false;
    const isPublishing = nodes.gate.knock();
    expect((await say(one, between, 'Half hour, please')).status).toBe(201);
    await isPublishing;
    await one.end('SIGKILL');
    nodes.gate.isOpen = true;
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('Half hour, please');
    expect((await page(two, between)).map(({ message }) => message)).toEqual(['Half hour, please']);
    one = await nodes.start('one');
    expect(await page(one, between)).toEqual(await page(two, between));
  });

  test('with the last one killed amid publishing, the first that starts publishes', async () => {
    const between = await pair();
    const heard = await hear(await deviceOf(between.b, two), between);
    nodes.gate.isOpen = false;
    const isPublishing = nodes.gate.knock();
    expect((await say(two, between, 'Beginners, please')).status).toBe(201);
    await isPublishing;
    await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')]);
    expect(heard).toEqual([]);
    nodes.gate.isOpen = true;
    [one, two] = await Promise.all([nodes.start('one'), nodes.start('two')]);
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('Beginners, please');
    expect(await page(two, between)).toMatchObject([{ seq: 1, message: 'Beginners, please' }]);
  });

  test('restarted while messages are written: each is there once, in one order, and heard', async () => {
    const between = await pair();
    const heard = await hear(await deviceOf(between.b, two), between);
    /** As a device sends: the same message again, wherever it gets through. */
    const deliver = async (message: string, n: number) => {
      const id = randomUUID();
      for (let attempt = n; ; attempt += 1) {
        const answer = await say(attempt % 2 === 0 ? one : two, between, message, { id }).catch(() => null);
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
    await expect.poll(() => [...new Set(heard)].sort(), { timeout: 20_000 }).toEqual([...texts].sort());
  });
});
