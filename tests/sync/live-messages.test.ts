import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, it, vi } from 'vitest';
import { type Message, PLAIN_MESSAGE } from '#contract/records/chat.ts';
import type { Notification } from '#contract/records/notifications.ts';
import { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import { createEngine } from '#sync/engine.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import * as conflictTools from '#sync/conflict/tools.ts';

const FEATURES = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };
const AT = '2026-11-21T09:00:00.000Z';

const message = (seq: number): Message => ({
  id: String(seq),
  client_id: null,
  conversation_id: '4',
  seq,
  sender_id: '3',
  receiver_id: 'u1',
  message: `Message ${seq}`,
  ...PLAIN_MESSAGE,
  created_at: AT,
});

const actor = { user_id: '3', name: 'Meera', title: null, profile_photo: null, slug: null, profile_type: null };
/** The notification about a message. There is one for each conversation, about the newest message. */
const notificationOf = (seq: number): Notification => ({
  id: '70',
  type: 'message.received',
  actor,
  data: { conversation_id: '4', text: `Message ${seq}` },
  read_at: null,
  created_at: AT,
});
const record = (type: string, body: { id: string }) => ({ type, id: body.id, parent: null, body });

const other = { user_id: '3', name: 'Meera', title: null, profile_photo: null, slug: null };
const conversation = (last: Message | null) => ({
  id: '4',
  conversation_id: '4',
  connection_id: '9',
  other,
  last_message: last,
  unread_count: 0,
  read_seq: last?.seq ?? 0,
  other_delivered_seq: null,
  other_read_seq: null,
  starred: false,
  pinned: false,
});

/** Opens a device of u1 that has the conversation up to message 2, and runs its engine. */
async function openDevice() {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const requests: string[] = [];
  const timers = new Set<{ ms: number; call: () => void }>();
  let answerPull = (): Promise<object[]> => Promise.resolve([]);
  let pulls = 0;
  const ports: EnginePorts = {
    clock: {
      now: () => Date.parse(AT),
      after(ms, call) {
        const timer = { ms, call };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    transport: {
      async send({ method, path, body }) {
        const text = body?.kind === 'json' ? ` ${JSON.stringify(body.value)}` : '';
        if (path !== '/config') requests.push(`${method} ${path.split('?')[0]}${text}`);
        const records = path.startsWith('/sync') ? await answerPull() : [];
        pulls += path.startsWith('/sync') ? 1 : 0;
        const answer = { features: FEATURES, message: 'OK', records, cursor: `c${pulls}`, has_more: false };
        return { status: 200, redirected: false, header: () => null, body: answer };
      },
    },
    lock: { tryRun: async (work) => (await work(() => true), true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
  const engine = createEngine(db, ports);
  engine.start();
  await vi.waitFor(async () => expect(await db.cursors.get('sync')).toBeDefined());
  // Resolves when the engine is idle.
  await engine.pull();
  await db.records.put({ ...record(CONVERSATION, conversation(message(2))), version: null });
  await db.records.put({ ...record('notification', notificationOf(2)), version: null });
  await db.readings.put({ conversation: '4', read: 2, has: 2, toldRead: 2, toldHas: 2 });
  requests.length = 0;
  return {
    db,
    engine,
    requests,
    /** Sets how pulls are answered from now on. */
    onPull: (answer: () => Promise<object[]>) => (answerPull = answer),
    /** Fires the timers of at most this length. */
    fire(maxMs: number): void {
      for (const timer of [...timers]) {
        if (timer.ms > maxMs) continue;
        timers.delete(timer);
        timer.call();
      }
    },
    getNotified: async () => (await db.records.get(['notification', '70']))?.body.data,
  };
}

it('stores the next live message and its notification without a request', async () => {
  const { db, engine, requests, getNotified } = await openDevice();
  await engine.receiveMessage(message(3), notificationOf(3));
  expect((await db.records.get([CONVERSATION, '4']))?.body.last_message).toEqual(message(3));
  expect(await getNotified()).toMatchObject({ text: 'Message 3' });
  expect(requests).toEqual([]);
  await engine.stop();
});

it('keeps the newer notification when a live message arrives late or twice', async () => {
  const { db, engine, getNotified } = await openDevice();
  await engine.receiveMessage(message(3), notificationOf(3));
  await engine.receiveMessage(message(2), notificationOf(2));
  expect(await getNotified()).toMatchObject({ text: 'Message 3' });
  const read = { ...notificationOf(3), read_at: AT };
  await db.records.put({ ...record('notification', read), version: null });
  await engine.receiveMessage(message(3), notificationOf(3));
  expect((await db.records.get(['notification', '70']))?.body.read_at).toBe(AT);
  await engine.stop();
});

it('pulls, and stores no notification, when messages before a live one are missing or its conversation is unknown', async () => {
  const { db, engine, requests, getNotified } = await openDevice();
  await engine.receiveMessage(message(4), notificationOf(4));
  expect(requests).toContain('GET /sync');
  expect(await getNotified()).toMatchObject({ text: 'Message 2' });
  requests.length = 0;
  await db.records.clear();
  await engine.receiveMessage(message(5), notificationOf(5));
  expect(requests).toContain('GET /sync');
  expect(await getNotified()).toBeUndefined();
  await engine.stop();
});

it('pulls again after a pull that was under way when a live message arrived', async () => {
  const { engine, onPull, getNotified } = await openDevice();
  let answer!: (page: object[]) => void;
  const asked = new Promise<void>((resolve) => {
    onPull(() => {
      resolve();
      return new Promise((given) => (answer = given));
    });
  });
  const pulled = engine.pull();
  await asked;
  const received = engine.receiveMessage(message(3), notificationOf(3));
  await vi.waitFor(async () => expect(await getNotified()).toMatchObject({ text: 'Message 3' }));
  onPull(() => Promise.resolve([record('notification', notificationOf(3))]));
  answer([record('notification', notificationOf(2))]);
  await Promise.all([pulled, received]);
  expect(await getNotified()).toMatchObject({ text: 'Message 3' });
  await engine.stop();
});

it('reports a live message once when it is read soon after it arrives', async () => {
  const { engine, requests, fire } = await openDevice();
  await engine.receiveMessage(message(3));
  await engine.markRead('4', 3);
  fire(1000);
  await engine.stop();
  expect(requests).toEqual(['POST /conversations/4/read {"seq":3}']);
});

it('reports a live message as delivered when it is not read', async () => {
  const { engine, requests, fire } = await openDevice();
  await engine.receiveMessage(message(3));
  expect(requests).toEqual([]);
  fire(1000);
  await vi.waitFor(() => expect(requests).toEqual(['POST /conversations/4/delivered {"seq":3}']));
  await engine.stop();
});
