import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { readSession, writeSession } from '#db/device.ts';
import { readLeftStores, readPendingSignOuts } from '#db/pending-sign-outs.ts';
import { keepOnlyUnsent } from '#session/keep-unsent.ts';
import { wipeLeftStores } from '#session/left-stores.ts';
import { leaveAccount } from '#session/wipe.ts';
import { mediaFile } from '../support/media-file.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
beforeEach(() => {
  Object.assign(Dexie.dependencies, { indexedDB: new IDBFactory(), IDBKeyRange });
  db = new AccountDb('wipe', '1');
});
afterEach(() => {
  db.close();
  vi.unstubAllGlobals();
});

test('keeps takes, drafts and unsent changes with their ids and bytes at sign-out, and nothing else', async () => {
  const profile = { local: 'L_profile', type: 'profile', server: '7' };
  const photo = outboxRow({
    seq: 1,
    op: 'photo',
    type: 'media',
    target: 'L_photo',
    parent: profile.local,
    deps: ['mine'],
  });
  await db.outbox.put(photo);
  await db.ids.bulkPut([
    profile,
    { local: 'L_other', type: 'skill', server: '8' },
    // A form for a new skill of a profile that was made on this device is found again by this id.
    { local: 'L_drafted', type: 'profile', server: '9' },
  ]);
  for (const id of ['mine', 'picked', 'abandoned']) {
    await db.media.put(mediaFile({ id }));
    await db.chunks.put({ media: id, n: 0, bytes: new ArrayBuffer(4) });
  }
  // Bytes of a pick that was cut off before its file was noted.
  await db.chunks.put({ media: 'nobody', n: 0, bytes: new ArrayBuffer(4) });
  const draft = { key: 'photos:7', values: { name: 'Kathak', files: ['picked'] }, at: 0 };
  await db.drafts.bulkPut([draft, { key: 'skill:new:L_drafted', values: { name: 'Kathak' }, at: 0 }]);
  await db.meta.bulkPut([
    { k: 'born', at: 5 },
    { k: 'searches', words: ['kathak'] },
    { k: 'lookup:places', items: [{ id: '1', name: 'Pune' }] },
    // What waits of a video has the name of a kind, and is sent with its id.
    { k: 'lookup:project_types', items: [{ id: '3', name: 'Short film' }] },
    // What nobody else has, and how the person wants waiting files to be sent.
    { k: 'link-token:9f', token: 'secret' },
    { k: 'wifi-only' },
    { k: 'booth', settings: {} },
    { k: 'booth-cue:7', name: 'lines.m4a', type: 'audio/mp4', bytes: new ArrayBuffer(4), savedAt: 0 },
  ]);
  await db.takes.put({
    id: 'take',
    state: 'sealed',
    storage: 'slices',
    name: 'Take 1',
    mime: 'video/webm',
    startedAt: 0,
    bytes: 4,
    duration: 1,
    size: null,
    stars: 0,
    range: null,
    end: 'person',
  });
  await db.slices.put({ take: 'take', n: 0, bytes: new ArrayBuffer(4), endMs: 1000 });
  await db.posters.put({ take: 'take', jpeg: new ArrayBuffer(4) });
  await db.records.put({ type: 'profile', id: '7', parent: null, body: {}, version: 1 });
  await db.cursors.put({ resource: 'sync', value: 'x' });
  await db.journal.add({
    op: 'o',
    kind: 'create',
    type: 'skill',
    title: 'Skill',
    from: 'new',
    to: 'done',
    status: 201,
    at: 0,
  });

  await keepOnlyUnsent(db);
  const left: Record<string, unknown[]> = {};
  for (const table of db.tables)
    if ((await table.count()) > 0) left[table.name] = await table.toCollection().primaryKeys();
  expect(left).toEqual({
    outbox: [1],
    ids: ['L_drafted', 'L_profile'],
    media: ['mine', 'picked'],
    chunks: [
      ['mine', 0],
      ['picked', 0],
    ],
    meta: ['booth', 'booth-cue:7', 'born', 'link-token:9f', 'lookup:project_types', 'wifi-only'],
    takes: ['take'],
    slices: [['take', 0]],
    posters: ['take'],
    drafts: [draft.key, 'skill:new:L_drafted'],
  });
});

test('an old tab signs out its own person, not the one who has signed in since', async () => {
  const stored = new Map([['token', 'token of 2']]);
  const deleted: string[] = [];
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('localStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('caches', { delete: (name: string) => deleted.push(name) });
  const person = { token: 'token of 2', userId: '2', user: { id: '2', name: 'B', email: 'b@x.in' }, apiBase: '' };
  await writeSession(person);
  const sender = { current: { token: 'token of 1', userId: '1', apiBase: '' } };
  const close = () => Promise.resolve(db.close());

  await leaveAccount({ db, close }, 'keep', sender);
  expect(sender.current).toBeNull();
  expect([stored.get('token'), await readSession(), deleted]).toEqual(['token of 2', person, []]);
  await writeSession({ ...person, userId: '1' });
  await leaveAccount({ db, close }, 'keep', sender);
  expect([stored.get('token'), await readSession()]).toEqual([undefined, null]);
  expect(deleted).toContain('stored-media');
});

const OWNER = { token: 'token of 1', userId: '1', user: { id: '1', name: 'A', email: 'a@x.in' }, apiBase: '' };

/** Signs somebody in on a device whose IndexedDB calls `write` for each transaction that is to write. */
async function signIn(write: (begin: () => IDBTransaction) => IDBTransaction) {
  const factory = new IDBFactory();
  const local = new Map([['token', OWNER.token]]);
  vi.stubGlobal('indexedDB', factory);
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('localStorage', {
    setItem: (key: string, value: string) => local.set(key, value),
    removeItem: (key: string) => local.delete(key),
  });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('caches', { delete: () => undefined });
  await writeSession(OWNER);
  vi.stubGlobal('indexedDB', {
    open(name: string, version: number) {
      const request = factory.open(name, version);
      request.addEventListener('success', () => {
        const { result } = request;
        const begin = result.transaction.bind(result);
        result.transaction = (stores, mode, options) =>
          mode === 'readwrite' ? write(() => begin(stores, mode, options)) : begin(stores, mode, options);
      });
      return request;
    },
  });
  return { local, sender: { current: { token: OWNER.token, userId: '1', apiBase: '' } } };
}

const UNSENT = outboxRow({ seq: 1, op: 'skill', type: 'skill', target: 'L_skill', parent: '7', deps: [] });

/** Signs out in a page that ends with its first write, which leaves a session whole or gone. */
async function signOutCutShort(mode: 'keep' | 'discard') {
  let endPage = () => {};
  const ended = new Promise<void>((resolve) => (endPage = resolve));
  let writes = 0;
  let isNextPage = false;
  const { local, sender } = await signIn((begin) => {
    writes += 1;
    if (writes > 1 && !isNextPage) throw new Error('The page has ended');
    const transaction = begin();
    transaction.addEventListener('complete', endPage);
    return transaction;
  });
  await db.outbox.put(UNSENT);
  await db.cursors.put({ resource: 'sync', value: 'x' });
  leaveAccount({ db, close: () => new Promise(() => {}) }, mode, sender).catch(() => undefined);
  await ended;
  db.close();
  isNextPage = true;
  return { local };
}

/** What the next page finds in the store. */
async function readStore() {
  const next = new AccountDb('wipe', '1');
  const found = [await next.outbox.count(), await next.cursors.count()];
  next.close();
  return found;
}

test('a page that ends while it signs out leaves nobody signed in, and the server is still told', async () => {
  const { local } = await signOutCutShort('discard');
  expect(await readSession()).toBeNull();
  expect(await readPendingSignOuts()).toEqual([{ token: OWNER.token, apiBase: '', hasDiscarded: true }]);
  expect([...local.keys()]).toEqual(['farewell']);
});

test.each([
  { mode: 'discard', left: [0, 0] },
  { mode: 'keep', left: [1, 0] },
] as const)(
  'what a page that ended early had to remove ($mode) is removed at the next start',
  async ({ mode, left }) => {
    await signOutCutShort(mode);
    expect(await readStore()).toEqual([1, 1]);
    await wipeLeftStores();
    expect(await readStore()).toEqual(left);
    expect(await readLeftStores()).toEqual([]);
  },
);

test('the store of somebody who has signed in again is left alone', async () => {
  await signOutCutShort('discard');
  await writeSession(OWNER);
  await wipeLeftStores();
  expect(await readStore()).toEqual([1, 1]);
  expect(await readLeftStores()).toEqual([]);
});

test('a sign-out that the full device cannot store leaves the person signed in', async () => {
  const { sender } = await signIn(() => {
    throw new Error('The disk is full');
  });
  const leaving = leaveAccount({ db, close: () => Promise.resolve() }, 'discard', sender);
  await expect(leaving).rejects.toThrow('The disk is full');
  expect(await readSession()).toEqual(OWNER);
  expect(sender.current.token).toBe(OWNER.token);
});
