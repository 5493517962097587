import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SyncPage } from '#contract/records/sync.ts';
import { AccountDb } from '#db/database.ts';
import type { WireAnswer } from '#net/wire.ts';
import { KNOWN_TYPES, pullChanges } from '#sync/pull/pull.ts';
import { disconnect } from '#sync/queue/connections.ts';
import { create, type OutboxPorts, remove, UNDO_MS } from '#sync/queue/outbox.ts';
import { setConversationToggle, setSaved } from '#sync/queue/toggles.ts';
import { learnApi } from '#sync/server/learn.ts';
import { Sender } from '#sync/send/sender.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import * as conflictTools from '#sync/conflict/tools.ts';

/**
 * A bookmark, a pin, a connection and a deleted record have no version that tells which of a pull's page and a change's
 * response is newer.
 */

const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };
const card = { ...blankCard(), id: '7' };
const savedCard: SyncRecord = { type: 'saved_profile', id: '7', parent: null, body: { ...card } };

type SyncRecord = SyncPage['records'][number];
type Reply = (body: unknown) => void;

let db: AccountDb;
let ports: OutboxPorts;
/** Requests without a response so far, oldest first. */
let pulls: Reply[];
let writes: Reply[];
/** Paths of all pulls. */
let pulled: string[];
let now: number;

function blankCard() {
  const profile_type = { id: '1', name: 'Actor / Performer', slug: 'actor-performer' };
  return { title: null, stage_name: 'Meera Joshi', location: null, profile_type, profile_photo: null, slug: 'meera' };
}

const wire = (body: unknown): WireAnswer => ({ status: 200, body, redirected: false, header: () => null });
const page = (cursor: string, ...records: SyncRecord[]): SyncPage => ({ records, cursor, has_more: false });

function enginePorts(): EnginePorts {
  return {
    clock: ports.clock,
    chance: ports.chance,
    transport: {
      send({ path, method }) {
        if (path === '/config') return Promise.resolve(wire({ features }));
        const waiting = method === 'GET' ? pulls : writes;
        if (method === 'GET') pulled.push(path);
        return new Promise((resolve) => waiting.push((body) => resolve(wire(body))));
      },
    },
    lock: { tryRun: () => Promise.resolve(true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  };
}

async function next(waiting: Reply[]): Promise<Reply> {
  for (let turn = 0; turn < 1000 && waiting.length === 0; turn += 1) await new Promise((done) => setImmediate(done));
  return waiting.shift() ?? expect.fail('no request was made');
}

const pull = () => pullChanges(db, enginePorts());
const drain = () => new Sender(db, enginePorts(), 60_000).run();
const cursor = async () => (await db.cursors.get('sync'))?.value;
const isMirrored = async ({ type, id }: SyncRecord) => (await db.records.get([type, id])) !== undefined;

beforeEach(async () => {
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  now = 1000;
  const clock = { now: () => now, after: () => () => undefined };
  ports = { db, clock, chance: { uuid: () => crypto.randomUUID(), random: () => 0.5 } };
  [pulls, writes, pulled] = [[], [], []];
  await learnApi(db, enginePorts());
  await db.cursors.put({ resource: 'sync', value: 'c1', types: KNOWN_TYPES });
});

describe('a page that the server built before it answered our change', () => {
  it('does not bring back a bookmark that was taken off', async () => {
    await db.records.put({ ...savedCard, body: { ...card }, version: null });
    const pulling = pull();
    const answerPull = await next(pulls);
    await setSaved(ports, 'saved_profile', card, false);
    const draining = drain();
    (await next(writes))({ is_saved: 0 });
    await draining;
    answerPull(page('c2', savedCard));
    // The pull asks again instead.
    (await next(pulls))(page('c3', { ...savedCard, body: null }));
    expect(await pulling).toBe('done');
    expect(await isMirrored(savedCard)).toBe(false);
    expect(pulled).toEqual(['/sync?cursor=c1', '/sync?cursor=c1']);
    expect(await cursor()).toBe('c3');
  });

  it('does not bring back a deleted credit', async () => {
    const credit: SyncRecord = { type: 'skill', id: '5', parent: '9', body: { id: 5, name: 'Mime', version: 1 } };
    await db.records.put({ ...credit, body: { id: 5, name: 'Mime', version: 1 }, version: 1 });
    const pulling = pull();
    const answerPull = await next(pulls);
    await remove(ports, 'skill', '5');
    now += UNDO_MS;
    const draining = drain();
    (await next(writes))({ message: 'Deleted' });
    await draining;
    answerPull(page('c2', credit));
    (await next(pulls))(page('c3', { ...credit, body: null }));
    await pulling;
    expect(await isMirrored(credit)).toBe(false);
  });

  it('does not bring back a connection that was ended', async () => {
    const body = { id: '4', status: 'accepted', user_id: 'u1', connected_user_id: '3', name: 'Meera Joshi' };
    const connection: SyncRecord = { type: 'connection', id: '4', parent: null, body };
    await db.records.put({ ...connection, body, version: null });
    const pulling = pull();
    const answerPull = await next(pulls);
    await disconnect(ports, { userId: '3', name: 'Meera Joshi' }, 'remove', '4');
    now += UNDO_MS;
    const draining = drain();
    (await next(writes))({ message: 'Removed' });
    await draining;
    answerPull(page('c2', connection));
    (await next(pulls))(page('c3', { ...connection, body: null }));
    await pulling;
    expect(await isMirrored(connection)).toBe(false);
  });

  it('is applied when our change was about another record', async () => {
    const other: SyncRecord = { ...savedCard, id: '8', body: { ...card, id: '8' } };
    const pulling = pull();
    const answerPull = await next(pulls);
    await setSaved(ports, 'saved_profile', card, true);
    const draining = drain();
    (await next(writes))({ is_saved: 1 });
    await draining;
    answerPull(page('c2', other));
    await pulling;
    expect(await isMirrored(other)).toBe(true);
    expect(pulled).toHaveLength(1);
  });

  it('is given up after some repeats, without moving the cursor, so that a long queue does not hold the pull', async () => {
    const pulling = pull();
    for (let n = 0; n < 3; n += 1) {
      const answerPull = await next(pulls);
      await setSaved(ports, 'saved_profile', card, n % 2 === 0);
      const draining = drain();
      (await next(writes))({ is_saved: 1 });
      await draining;
      answerPull(page(`c${n + 2}`, savedCard));
    }
    expect(await pulling).toBe('overtaken');
    expect(await cursor()).toBe('c1');
  });
});

describe('a response to our change that arrives after a page with the same record', () => {
  it('makes the next pull a full one, because another device may have saved the profile again', async () => {
    await db.records.put({ ...savedCard, body: { ...card }, version: null });
    await setSaved(ports, 'saved_profile', card, false);
    const draining = drain();
    const answerWrite = await next(writes);
    const pulling = pull();
    (await next(pulls))(page('c2', savedCard));
    await pulling;
    answerWrite({ is_saved: 0 });
    await draining;
    expect(await cursor()).toBeUndefined();
  });

  it('makes it a full one for a pinned conversation, too', async () => {
    const body = { id: '4', pinned: false, starred: false };
    const conversation: SyncRecord = { type: 'conversation', id: '4', parent: null, body };
    await db.records.put({ ...conversation, body, version: null });
    await setConversationToggle(ports, 'pinned', { id: '4', name: 'Meera Joshi' }, true);
    const draining = drain();
    const answerWrite = await next(writes);
    const pulling = pull();
    (await next(pulls))(page('c2', conversation));
    await pulling;
    answerWrite({ message: 'Pinned' });
    await draining;
    expect(await cursor()).toBeUndefined();
  });

  it('makes a full pull of several pages start again, although it has no cursor to delete', async () => {
    await db.cursors.clear();
    await db.records.put({ ...savedCard, body: { ...card }, version: null });
    await setSaved(ports, 'saved_profile', card, false);
    const draining = drain();
    const answerWrite = await next(writes);
    const pulling = pull();
    (await next(pulls))({ ...page('c2', savedCard), has_more: true });
    const answerLast = await next(pulls);
    answerWrite({ is_saved: 0 });
    await draining;
    answerLast(page('c3'));
    (await next(pulls))(page('c4', savedCard));
    await pulling;
    expect(pulled).toEqual(['/sync', '/sync?cursor=c2', '/sync']);
    expect(await isMirrored(savedCard)).toBe(true);
    expect(await cursor()).toBe('c4');
  });

  it('leaves the next pull as it is when the page was about another record', async () => {
    await setSaved(ports, 'saved_profile', card, true);
    const draining = drain();
    const answerWrite = await next(writes);
    const pulling = pull();
    (await next(pulls))(page('c2', { ...savedCard, id: '8', body: { ...card, id: '8' } }));
    await pulling;
    answerWrite({ is_saved: 1 });
    await draining;
    expect(await cursor()).toBe('c2');
  });
});

it('a full pull notices a record that it knows to be deleted, and that a late response to its creation brought back', async () => {
  await db.cursors.clear();
  const skill: SyncRecord = { type: 'skill', id: '5', parent: '9', body: null };
  const { id: local } = await create(ports, 'skill', '9', { name: 'Mime', level: 2 });
  const pulling = pull();
  (await next(pulls))({ ...page('c1'), has_more: true });
  const answerDeletion = await next(pulls);
  // The same change was made from a sealed file on another device, and the record was deleted there.
  const draining = drain();
  const answerCreate = await next(writes);
  answerDeletion({ ...page('c2', skill), has_more: true });
  const answerLast = await next(pulls);
  answerCreate({ message: 'Saved', data: { id: 5, client_id: local.slice(2), name: 'Mime', level: 2, version: 1 } });
  await draining;
  expect(await isMirrored(skill)).toBe(true);
  answerLast(page('c3'));
  // It reads everything once more.
  (await next(pulls))(page('c4'));
  expect(await pulling).toBe('done');
  expect(await isMirrored(skill)).toBe(false);
  expect(pulled).toEqual(['/sync', '/sync?cursor=c1', '/sync?cursor=c2', '/sync']);
});
