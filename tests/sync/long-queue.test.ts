import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeAll, describe, expect, it } from 'vitest';
import { SECTIONS } from '#contract/sections/index.ts';
import { AccountDb } from '#db/database.ts';
import { conversationView, conversationViews } from '#db/conversations.ts';
import { readNetwork, listNotifications } from '#db/network.ts';
import { listSaved } from '#db/saved-and-connected.ts';
import { listKnownPlaces } from '#db/places.ts';
import { mediaItems, ownProfiles, portraitOf, sectionsItems } from '#db/queries.ts';
import { queueSummary } from '#db/queue-summary.ts';
import type { OutboxRow } from '#db/rows.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { countPendingWork } from '#open-store/store-watch.ts';
import { claim } from '#sync/send/claim.ts';
import { createRecord } from '#sync/operations/create-record.ts';
import { markSeen } from '#sync/operations/mark-seen.ts';
import { uploadFile } from '#sync/operations/upload-file.ts';
import { append, create, type OutboxPorts, update } from '#sync/queue/outbox.ts';
import { sendMessage } from '#sync/queue/messages.ts';
import { KNOWN_TYPES, pullChanges } from '#sync/pull/pull.ts';
import { fullApi } from '#sync/server/full-api.ts';
import { OutboxReads } from '../support/outbox-reads.ts';
import { outboxRow } from '../support/outbox-row.ts';

const SHORT = 20;
const LONG = 2000;

interface Store {
  db: AccountDb;
  ports: OutboxPorts;
  reads: OutboxReads;
}

/**
 * Creates a store with a profile and this many unrelated pending changes: messages, seen notifications and credits of
 * another profile.
 */
async function storeWith(count: number): Promise<Store> {
  const db = new AccountDb(`queue-${count}`, 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const reads = new OutboxReads();
  reads.watch(db);
  const ports: OutboxPorts = {
    db,
    clock: { now: () => 1000, after: () => () => undefined },
    chance: { uuid: () => crypto.randomUUID(), random: () => 0.5 },
  };
  for (const id of ['7', '8']) {
    await db.records.put({ type: 'profile', id, parent: null, body: { id, stage_name: `P${id}` }, version: 1 });
  }
  await db.records.put({ type: 'skill', id: '5', parent: '7', body: { id: '5', name: 'Riding' }, version: 1 });
  const conversation = { conversation_id: '7', connection_id: '1', other: { user_id: '3', name: 'M' }, read_seq: 0 };
  await db.records.put({ type: 'conversation', id: '7', parent: null, body: conversation, version: null });
  // The profile's own pending changes are the same in every store.
  await create(ports, 'skill', '7', { name: 'Fencing', level: 1 });
  await update(ports, 'about_me', '7', { description: 'Dancer' });
  const many = Array.from({ length: count }, (_, n): Omit<OutboxRow, 'seq'> => {
    const { seq: _seq, ...row } = outboxRow({ op: `op-${n}`, createdAt: 1000 });
    if (n % 3 === 0) {
      const patch = { message: `Hello ${n}`, receiver_id: '3', name: 'M' };
      return { ...row, kind: 'send', type: 'message', target: `L_m${n}`, parent: '7', lane: 'chat:7', patch };
    }
    if (n % 3 === 1) return { ...row, kind: 'create', target: `L_c${n}`, parent: '8', lane: `experience:L_c${n}` };
    const lane = `person:${n}`;
    return { ...row, kind: 'seen', type: 'notification', target: lane, parent: null, lane, patch: { ids: [] } };
  });
  await db.outbox.bulkAdd(many);
  return { db, ports, reads };
}

describe(`with ${LONG} waiting changes`, () => {
  let short: Store;
  let long: Store;
  beforeAll(async () => {
    short = await storeWith(SHORT);
    long = await storeWith(LONG);
  });

  /** Returns the number of outbox rows read with the short and with the long queue. */
  const both = async (work: (store: Store) => Promise<unknown>) => [
    await short.reads.of(() => work(short)),
    await long.reads.of(() => work(long)),
  ];

  const screens: Record<string, (db: AccountDb) => Promise<unknown>> = {
    'the list of own profiles': ownProfiles,
    'the sections of the own profile': (db) => sectionsItems(db, SECTIONS, '7'),
    'one section': (db) => sectionsItems(db, SECTIONS.slice(0, 1), '7'),
    'the own portfolio': (db) => mediaItems(db, '7'),
    'the own portrait': (db) => portraitOf(db, '7'),
    'the count in the bar': queueSummary,
    'the conversations': conversationViews,
    'one conversation in the list': (db) => conversationView(db, '7'),
    'what is saved': (db) => listSaved(db, 'saved_profile'),
    notifications: listNotifications,
    'the note of what waits': countPendingWork,
  };

  it.each(Object.entries(screens))('reads no more rows than with a few: %s', async (_, query) => {
    const [few, many] = await both(({ db }) => query(db));
    expect(many).toBe(few);
    expect(many).toBeLessThan(20);
  });

  it('reads only the first rows for lists of pending changes', async () => {
    expect(await long.reads.of(() => listWaiting(long.db, 0))).toBeLessThan(1500);
    expect(await long.reads.of(() => listKnownPlaces(long.db))).toBeLessThanOrEqual(500);
  });

  it('counts every change, with an upload and its attachment as one', async () => {
    expect(await queueSummary(long.db)).toEqual({
      waiting: LONG + 2,
      sending: 0,
      needs: 0,
      signInNeeded: false,
      isSuspended: false,
    });
    const { db, ports } = await storeWith(3);
    await db.transaction('rw', db.tables, async () => {
      await append(ports, uploadFile, { type: 'upload', op: 'u1', target: 'f1', state: 'attention' });
      await append(ports, uploadFile, { type: 'upload', op: 'u2', target: 'f2', state: 'sending' });
      const medium = { type: 'media', parent: '7' };
      await append(ports, createRecord, { ...medium, op: 'm1', target: 'L_1', deps: ['f1'] });
      await append(ports, createRecord, { ...medium, op: 'm2', target: 'L_2', deps: ['f2'] });
      await append(ports, createRecord, { ...medium, op: 'm3', target: 'L_3', state: 'verify' });
    });
    expect(await queueSummary(db)).toMatchObject({ waiting: 6, sending: 1, needs: 1 });
  });

  it('counts pending changes by kind, with a file and its attachment as one', async () => {
    const { db, ports } = await storeWith(9);
    await db.transaction('rw', db.tables, async () => {
      await append(ports, uploadFile, { type: 'upload', op: 'u1', target: 'f1' });
      const medium = { type: 'media', parent: '7' };
      await append(ports, createRecord, { ...medium, op: 'm1', target: 'L_1', deps: ['f1'] });
      await append(ports, markSeen, { type: 'notification', op: 's1', target: 'seen', patch: { ids: [] } });
    });
    const { kinds } = await countPendingWork(db);
    expect(kinds).toEqual({ chat: 3, experience: 3, person: 3, media: 1, seen: 1, skill: 1, profile: 1 });
  });

  it('reads only the rows of its lane for one more edit or message', async () => {
    const [few, many] = await both(({ ports }) => update(ports, 'skill', '5', { level: 3 }));
    expect(many).toBe(few);
    const to = { conversationId: '7', userId: '3', name: 'M' };
    const [fewMessageReads, manyMessageReads] = await both(({ ports }) =>
      sendMessage(ports, to, { message: 'One more' }),
    );
    expect(manyMessageReads).toBe(fewMessageReads);
  });

  it('reads only the changes about the pulled records', async () => {
    const records = [
      { type: 'skill', id: '5', parent: '7', body: { id: '5', name: 'Riding', version: 2 } },
      { type: 'skill', id: '6', parent: '7', body: { id: '6', name: 'Judo', version: 1, client_id: 'elsewhere' } },
    ];
    const body = { records, cursor: 'c1', has_more: false };
    for (const { db } of [short, long]) await db.cursors.put({ resource: 'sync', value: 'c0', types: KNOWN_TYPES });
    const send = () => Promise.resolve({ status: 200, body, redirected: false, header: () => null });
    const [few, many] = await both(({ db, ports }) => pullChanges(db, { ...ports, transport: { send } }));
    expect(many).toBe(few);
  });

  it('reads the queue at most once for a pull of many deletes', async () => {
    const readsOf = async (ids: string[]) => {
      const records = ids.map((id) => ({ type: 'skill', id, parent: '7', body: null }));
      const body = { records, cursor: `c${ids.length}`, has_more: false };
      const send = () => Promise.resolve({ status: 200, body, redirected: false, header: () => null });
      await long.db.cursors.put({ resource: 'sync', value: 'c0', types: KNOWN_TYPES });
      return long.reads.of(() => pullChanges(long.db, { ...long.ports, transport: { send } }));
    };
    const few = await readsOf(['90', '91']);
    expect((await readsOf(['92', '93', '94', '95', '96', '97'])) - few).toBeLessThan(20);
    expect(few).toBeLessThan(LONG + 100);
  });

  it('finds the next rows to send at the head of the queue', async () => {
    const take = async ({ db, ports }: Store) => {
      const context = {
        ...ports,
        server: fullApi,
        isWorker: false,
        othersSucceed: () => true,
      };
      await db.transaction('rw', db.tables, async () => claim(context, { json: 3, upload: 1 }));
    };
    expect(await long.reads.of(() => take(long))).toBeLessThan(60);
  });

  it('finds connections by their own rows', async () => {
    const [, many] = await both(({ db }) => readNetwork(db));
    expect(many).toBeLessThan(LONG / 2);
  });
});
