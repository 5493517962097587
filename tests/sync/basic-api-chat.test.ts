import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { conversationView, conversationViews, pendingMessages } from '#db/conversations.ts';
import { messagesBetween } from '#db/messages.ts';
import { readNetwork } from '#db/network.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import { markRead } from '#sync/pull/messages.ts';
import { sendMessage } from '#sync/queue/messages.ts';
import { checkIfSent, sendAgain } from '#sync/queue/resolutions.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import { pullLists } from '#sync/server/basic/pull-lists.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { Sender } from '#sync/send/sender.ts';

const THEM = 3;
const US = 7;
const MINUTE = 60_000;

interface StoredMessage {
  id: number;
  sender_id: number;
  receiver_id: number;
  message: string;
  created_at: string;
}

/** A server with the basic API: numeric ids, messages without client ids, and each conversation as a whole. */
class BasicApiServer {
  now = Date.UTC(2026, 10, 21);
  minted = 100;
  connections = [{ id: 9, status: 'accepted', user_id: THEM, connected_user_id: US, name: 'Meera Joshi' }];
  readonly chats = new Map<number, StoredMessage[]>([[9, []]]);
  /** Outcomes of the next messages: lost on the way, or the response is lost. */
  readonly outcomes: ('lost' | 'answer lost')[] = [];
  /** Status of the response for conversations that cannot be read. */
  readonly failures = new Map<number, number>();
  readonly requests: string[] = [];
  /** Called after the server built a list and before the client receives it. */
  onListed: (() => Promise<unknown>) | null = null;

  say(sender: number, message: string, connection = 9): StoredMessage {
    const sent = {
      id: (this.minted += 1),
      sender_id: sender,
      receiver_id: sender === US ? THEM : US,
      message,
      created_at: new Date((this.now += 1000)).toISOString(),
    };
    this.chats.get(connection)!.push(sent);
    return sent;
  }

  async send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    this.requests.push(`${method} ${path}`);
    const answer = (status: number, body: unknown, etag: string | null = null): WireAnswer => ({
      status,
      redirected: false,
      header: (name) => (name === 'etag' ? etag : null),
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    });
    if (path === '/profiles/all') return answer(200, []);
    if (path === '/connections/accepted') return answer(200, this.connections);
    if (path.startsWith('/connections/requests/')) return answer(200, []);
    if (path === '/chat/send' && body?.kind === 'json') {
      const outcome = this.outcomes.shift();
      if (outcome === 'lost') return { status: 0, reason: 'network' };
      const { conversation_id, message } = body.value as { conversation_id: string; message: string };
      const data = this.say(US, message, Number(conversation_id) - 1000);
      if (outcome === 'answer lost') return { status: 0, reason: 'network' };
      return answer(201, { message: 'Sent', data: { ...data, conversation_id: Number(conversation_id) } });
    }
    const connection = Number(/^\/chat\/(\d+)$/.exec(path)?.[1]);
    const messages = this.chats.get(connection);
    if (messages === undefined) return answer(404, { message: 'Not found' });
    const status = this.failures.get(connection);
    if (status === 0) return { status: 0, reason: 'network' };
    // A negative status comes from a proxy between client and server.
    if (status !== undefined && status < 0) return answer(-status, undefined);
    if (status !== undefined) return answer(status, { message: 'Trouble' });
    const etag = JSON.stringify(messages.map((each: StoredMessage | null) => each?.id ?? null));
    if (headers['if-none-match'] === etag) return answer(304, undefined, etag);
    const listed = answer(200, { conversation_id: 1000 + connection, messages }, etag);
    await this.onListed?.();
    return listed;
  }
}

let server: BasicApiServer;
let db: AccountDb;
let ports: EnginePorts & { db: AccountDb };
let minted = 0;

beforeEach(() => {
  server = new BasicApiServer();
  db = new AccountDb('test', String(US), { indexedDB: new IDBFactory(), IDBKeyRange });
  ports = {
    db,
    clock: { now: () => server.now, after: () => () => undefined },
    chance: { uuid: () => `uuid-${(minted += 1)}`, random: () => 0.5 },
    transport: { send: (request) => server.send(request) },
    lock: { tryRun: () => Promise.resolve(true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
});

const read = () => pullLists(db, ports);
const drain = () => new Sender(db, ports, MINUTE).run();
const write = (message: string, conversation = '1009') =>
  sendMessage(ports, { conversationId: conversation, userId: String(THEM), name: 'Meera Joshi' }, { message });
/** Ends all back-offs before it drains. */
const drainAgain = async () => {
  await db.outbox.filter(({ state }) => state !== 'attention').modify({ notBefore: 0 });
  return drain();
};
const here = async (conversation = '1009') =>
  (await messagesBetween(db, conversation, 0, Infinity)).map(({ seq, message }) => `${seq} ${message}`);
const there = () => server.chats.get(9)!.map(({ message }, at) => `${at + 1} ${message}`);
const waiting = async () => (await db.outbox.orderBy('seq').toArray()).map(({ state, reason }) => reason ?? state);

describe('a conversation with the basic API', () => {
  it('is fetched in full by its connection and counts as read on a new device', async () => {
    server.say(THEM, 'Are you free?');
    server.say(US, 'I am');
    server.say(THEM, 'Good');
    expect(await read()).toBe('done');
    expect(await here()).toEqual(['1 Are you free?', '2 I am', '3 Good']);
    const [view] = await conversationViews(db);
    expect(view).toMatchObject({
      id: '1009',
      connectionId: '9',
      other: { user_id: String(THEM), name: 'Meera Joshi' },
      last: { message: 'Good', sender_id: String(THEM) },
      unread: 0,
      toggles: { starred: { value: null }, pinned: { value: null } },
      otherHas: null,
      otherRead: null,
    });
    expect((await readNetwork(db)).connections[0]).toMatchObject({ connectionId: '9', conversationId: '1009' });
    await read();
    expect((await readNetwork(db)).connections[0]).toMatchObject({ conversationId: '1009' });
  });

  it('shows later messages as unread until they are read on this device', async () => {
    server.say(THEM, 'Are you free?');
    await read();
    server.say(THEM, 'Tomorrow?');
    server.connections.push({ ...server.connections[0]!, id: 10, user_id: 4, name: 'Ravi Nair' });
    server.chats.set(10, []);
    server.say(4, 'Hello', 10);
    await read();
    const unread = async () => (await conversationViews(db)).map(({ id, unread: count }) => [id, count]);
    expect(new Map((await unread()) as [string, number][])).toEqual(
      new Map([
        ['1009', 1],
        ['1010', 1],
      ]),
    );
    await markRead(db, '1009', 2);
    await read();
    expect((await conversationView(db, '1009'))?.unread).toBe(0);
  });

  it('is deleted with its connection and fetched again after a reconnect', async () => {
    server.say(THEM, 'Are you free?');
    await read();
    const kept = server.connections;
    server.connections = [];
    await read();
    expect(await conversationViews(db)).toEqual([]);
    expect(await here()).toEqual([]);
    server.connections = kept;
    await read();
    expect(await here()).toEqual(['1 Are you free?']);
  });

  it('updates the name and keeps its messages when nothing new was sent', async () => {
    server.say(THEM, 'Are you free?');
    await read();
    server.connections[0]!.name = 'Meera Kulkarni';
    await read();
    expect((await conversationView(db, '1009'))?.other.name).toBe('Meera Kulkarni');
    expect(await here()).toEqual(['1 Are you free?']);
  });

  it('does not block other conversations when it fails or is forbidden', async () => {
    for (const [id, status] of [
      [10, 500],
      [11, 403],
      [12, 200],
    ] as const) {
      server.connections.push({ ...server.connections[0]!, id, user_id: id });
      server.chats.set(id, []);
      if (status !== 200) server.failures.set(id, status);
    }
    server.say(12, 'Hello', 12);
    expect(await read()).toBe('unreachable');
    expect(await here('1012')).toEqual(['1 Hello']);
    server.failures.delete(10);
    expect(await read()).toBe('done');
  });

  it('stops fetching conversations after several network errors', async () => {
    for (let id = 20; id < 40; id += 1) {
      server.connections.push({ ...server.connections[0]!, id });
      server.chats.set(id, []);
      server.failures.set(id, 0);
    }
    expect(await read()).toBe('unreachable');
    expect(server.requests.filter((path) => path.startsWith('GET /chat/'))).toHaveLength(3);
  });

  it('ignores list entries that are not messages', async () => {
    const one = server.say(THEM, 'Are you free?');
    server.chats
      .get(9)!
      .push(null as never, { ...one, id: null as never }, { ...one, id: 1, message: 5 as never }, one);
    await read();
    expect(await here()).toEqual(['1 Are you free?']);
  });
});

describe('a message sent with the basic API', () => {
  it('follows the newest message until the next list gives its position', async () => {
    server.say(THEM, 'One');
    await read();
    const { id } = await write('Three');
    server.say(THEM, 'Two');
    await drain();
    expect(await here()).toEqual(['1 One', '2 Three']);
    expect(await waiting()).toEqual([]);
    expect((await conversationView(db, '1009'))?.last).toMatchObject({ message: 'Three' });
    await read();
    expect(await here()).toEqual(there());
    expect(`L_${(await messagesBetween(db, '1009', 3, 3))[0]?.client_id}`).toBe(id);
  });

  it('survives a list that the server built before it', async () => {
    server.say(THEM, 'One');
    await read();
    server.say(THEM, 'Two');
    server.onListed = async () => {
      server.onListed = null;
      server.say(THEM, 'Three');
      await write('Four');
      await drain();
    };
    await read();
    expect(await here()).toEqual(['1 One', '2 Two', '3 Four']);
    await read();
    expect(await here()).toEqual(there());
  });

  it('appears once when a list brings it before its response', async () => {
    await read();
    await write('Hello');
    const { send } = ports.transport;
    ports.transport.send = async (request, options) => {
      const answer = await send(request, options);
      if (request.method === 'POST') await read();
      return answer;
    };
    await drain();
    expect(await here()).toEqual(['1 Hello']);
    expect(await pendingMessages(db, '1009')).toEqual([]);
  });

  it('is found and not sent again when its response was lost', async () => {
    await read();
    server.outcomes.push('answer lost');
    await write('Hello');
    await write('Are you there?');
    await drain();
    expect(await waiting()).toEqual(['verify', 'queued']);
    await drainAgain();
    expect(await waiting()).toEqual([]);
    expect(await here()).toEqual(there());
    expect(there()).toEqual(['1 Hello', '2 Are you there?']);
  });

  it('is found when a list brought it and its response was lost', async () => {
    await read();
    server.outcomes.push('answer lost');
    await write('Hello');
    await drain();
    await read();
    await drainAgain();
    expect(await waiting()).toEqual([]);
    expect(await here()).toEqual(['1 Hello']);
    expect(there()).toEqual(['1 Hello']);
  });

  it('is sent again when it never arrived', async () => {
    await read();
    server.outcomes.push('lost');
    await write('Hello');
    await drain();
    await drainAgain();
    expect(await waiting()).toEqual([]);
    expect(there()).toEqual(['1 Hello']);
  });

  it.each([
    ['answer lost', 'answer lost'],
    ['answer lost', 'lost'],
    ['lost', 'answer lost'],
    ['lost', 'lost'],
  ] as const)('arrives although it repeats the text of the one before (%s, %s)', async (...outcomes) => {
    server.say(US, 'Ok');
    await read();
    server.outcomes.push(...outcomes);
    await write('Ok');
    await write('Ok');
    for (let round = 0; round < 4; round += 1) await drainAgain();
    expect(await waiting()).toEqual([]);
    await read();
    expect(there()).toEqual(['1 Ok', '2 Ok', '3 Ok']);
    expect(await here()).toEqual(there());
  });

  it('asks the user when several messages match', async () => {
    await read();
    server.outcomes.push('answer lost');
    await write('Ok');
    server.say(US, 'Ok');
    await drain();
    await drainAgain();
    expect(await waiting()).toEqual(['unsure']);
    const [row] = await db.outbox.toArray();
    expect(row?.lastError?.message).toBe('May already be sent: there are several like it');
    await checkIfSent(ports, row!.op);
    await drainAgain();
    expect(await waiting()).toEqual(['unsure']);
    await sendAgain(ports, row!.op);
    await drainAgain();
    expect(await waiting()).toEqual([]);
    expect(there()).toEqual(['1 Ok', '2 Ok', '3 Ok']);
  });

  it('does not match a message sent long before it was written', async () => {
    await read();
    server.say(US, 'Ok');
    server.now += 60 * MINUTE;
    server.outcomes.push('lost');
    await write('Ok');
    await drain();
    await drainAgain();
    expect(await waiting()).toEqual(['unsure']);
  });

  it('waits while the list cannot be read and asks the user when there is none', async () => {
    await read();
    server.outcomes.push('answer lost');
    await write('Hello');
    await drain();
    for (const status of [500, -403]) {
      server.failures.set(9, status);
      await drainAgain();
      expect(await waiting()).toEqual(['verify']);
    }
    server.failures.set(9, 404);
    await drainAgain();
    expect(await waiting()).toEqual(['unsure']);
    expect(there()).toEqual(['1 Hello']);
  });

  it('is sent by a page and not by the worker', async () => {
    await read();
    await write('Hello');
    ports.loadConflictTools = () => Promise.resolve(null);
    await drain();
    await drainAgain();
    expect(await waiting()).toEqual(['queued']);
    expect(there()).toEqual([]);
    ports.loadConflictTools = () => Promise.resolve(conflictTools);
    await drainAgain();
    expect(await waiting()).toEqual([]);
    expect(there()).toEqual(['1 Hello']);
  });
});
