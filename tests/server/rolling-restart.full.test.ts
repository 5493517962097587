import { randomUUID } from 'node:crypto';
import Pusher from 'pusher-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatPage } from '#contract/records/chat.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import { openHealthProxy, openHoldingProxy, type HealthProxy } from './support/health-proxy.ts';
import { openNodes, type Nodes } from './support/nodes.ts';
import { ADULT } from '../support/adult.ts';
import { callServer, type ServerProcess } from './support/server-process.ts';

const PAIRS = 16;
const ROUNDS = 4;
const SOCKETS_BACK_MS = 15_000;

let nodes: Nodes;
let proxy: HealthProxy;
let socketProxy: Awaited<ReturnType<typeof openHoldingProxy>>;
const running = new Map<string, ServerProcess>();
const sockets: Pusher[] = [];

async function startNode(name: string): Promise<void> {
  const server = await nodes.start(name);
  running.set(name, server);
  proxy.set(name, server.url);
  await proxy.waitFor(name, true);
}

beforeAll(async () => {
  [proxy, socketProxy] = await Promise.all([openHealthProxy(), openHoldingProxy()]);
  nodes = await openNodes({ DRAIN_WAIT_S: '2', PUSHER_PORT: String(socketProxy.port) });
  socketProxy.target.port = Number(new URL(nodes.live.url).port);
  await Promise.all(['one', 'two'].map(startNode));
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await Promise.all([proxy.close(), socketProxy.close()]);
  await nodes.close();
});

interface Member {
  id: string;
  token: string;
}
let people = 0;

async function join(): Promise<Member> {
  people += 1;
  const { body } = await callServer<{ token: string; user: { id: string } }>(proxy.url, 'POST /register', {
    body: {
      name: 'Ila Deshpande',
      email: `person${people}@callboard.example`,
      password: 'the ghost light stays on',
      ...ADULT,
    },
  });
  const { token } = body;
  await callServer(proxy.url, 'POST /profile', { token, body: { profile_type_id: '1', stage_name: 'Ila' } });
  return { id: body.user.id, token };
}

interface Pair {
  sender: Member;
  receiver: Member;
  connectionId: string;
  conversationId: string;
}
async function addPair(): Promise<Pair> {
  const [sender, receiver] = [await join(), await join()];
  const asked = await callServer<{ data: { id: string } }>(
    proxy.url,
    `POST /connections/request/${receiver.id}`,
    sender,
  );
  const connectionId = asked.body.data.id;
  await callServer(proxy.url, `POST /connections/accept/${connectionId}`, receiver);
  const { body } = await callServer<{ conversation_id: string }[]>(proxy.url, 'GET /conversations', sender);
  return { sender, receiver, connectionId, conversationId: body[0]!.conversation_id };
}

/** Connects a device as the app does, and resolves once it is signed in. */
async function connectDevice({ id, token }: Member): Promise<Pusher> {
  const { body } = await callServer<ServerConfig>(proxy.url, 'GET /config');
  const { key, cluster, host, port } = body.pusher!;
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  const socket = new Pusher(key, {
    cluster,
    wsHost: host!,
    wsPort: port!,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: { transport: 'ajax', endpoint: `${proxy.url}/broadcasting/auth`, headers },
    userAuthentication: { transport: 'ajax', endpoint: `${proxy.url}/broadcasting/user-auth`, headers },
  });
  sockets.push(socket);
  socket.signin();
  await socket.user.signinDonePromise;
  await new Promise<void>((resolve) =>
    socket.subscribe(`private-changes.${id}`).bind('pusher:subscription_succeeded', () => resolve()),
  );
  return socket;
}

/** Sends messages and reads until stopped. Every call is made once: nothing is repeated. */
function startLoad({ sender, receiver, connectionId, conversationId }: Pair) {
  const sent: string[] = [];
  const failures: unknown[] = [];
  let isStopped = false;
  const attempt = async (request: string, member: Member, wanted: number, body?: unknown) => {
    const answer = await callServer(proxy.url, request, { token: member.token, body }).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }));
    if (answer.status !== wanted) failures.push({ request, status: answer.status, body: answer.body });
  };
  const work = (async () => {
    while (!isStopped) {
      const message = `Cue ${sent.length}`;
      sent.push(message);
      const ids = { conversation_id: conversationId, receiver_id: receiver.id, client_id: randomUUID() };
      await attempt('POST /chat/send', sender, 201, { ...ids, message });
      await attempt(`GET /chat/${connectionId}`, receiver, 200);
      await attempt('GET /sync', receiver, 200);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
      return { sent, failures };
    },
  };
}

/** Every message of a conversation, in its order. */
async function readAll({ receiver, connectionId }: Pair): Promise<string[]> {
  const texts: string[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const { body } = await callServer<ChatPage>(
      proxy.url,
      `GET /chat/${connectionId}?after_seq=${after}&limit=100`,
      receiver,
    );
    texts.push(...body.messages.map(({ message }) => message));
    after = body.messages.at(-1)?.seq ?? after;
    hasMore = body.has_more;
  }
  return texts;
}

test(`a rolling restart of two nodes under load fails no call and loses no message`, async () => {
  const pairs: Pair[] = [];
  for (let n = 0; n < PAIRS; n += 1) pairs.push(await addPair());
  const loads = pairs.map(startLoad);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ['one', 'two']) {
      expect(await running.get(name)!.end('SIGTERM')).toBe(0);
      await startNode(name);
    }
  }
  const results = await Promise.all(loads.map((load) => load.stop()));
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  for (const [n, { sent }] of results.entries()) {
    expect(sent.length).toBeGreaterThan(ROUNDS);
    expect(await readAll(pairs[n]!)).toEqual(sent);
  }
}, 600_000);

test('sockets are back within 15 seconds when the process that holds them is restarted', async () => {
  const pair = await addPair();
  const socket = await connectDevice(pair.receiver);
  let lostAtMs = Infinity;
  socket.connection.bind('disconnected', () => (lostAtMs = Math.min(lostAtMs, performance.now())));
  socket.connection.bind('connecting', () => (lostAtMs = Math.min(lostAtMs, performance.now())));
  const back = new Promise<void>((resolve) => {
    socket.channel(`private-changes.${pair.receiver.id}`).bind('pusher:subscription_succeeded', () => resolve());
  });
  await nodes.restartLive();
  await back;
  expect(performance.now() - lostAtMs).toBeLessThan(SOCKETS_BACK_MS);
});
