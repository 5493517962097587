import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { readPendingWork, readLoss, writePendingWork } from '#open-store/pending-work-marker.ts';
import { watchStore } from '#open-store/store-watch.ts';
import { ensureStoreCreatedAt } from '#open-store/store.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { fakeStorage } from './support/local-storage.ts';

const { handleStoreLoss } = vi.hoisted(() => ({ handleStoreLoss: vi.fn<(reason: string) => void>() }));
vi.mock('#open-store/store-loss.ts', () => ({
  handleStoreLoss,
  retryRead: <T>(db: AccountDb, query: (db: AccountDb) => Promise<T>) => query(db),
}));

let db: AccountDb;
const open = () => new AccountDb('watched', '1');
const wait = async (...lanes: string[]) => {
  const rows = lanes.map((lane) => {
    const { seq: _seq, ...row } = outboxRow({ op: lane, lane });
    return row;
  });
  await db.outbox.bulkAdd(rows);
};

beforeEach(() => {
  handleStoreLoss.mockReset();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('reportError', vi.fn());
  db = open();
});
afterEach(async () => {
  await db.delete();
  vi.unstubAllGlobals();
});

describe('ensureStoreCreatedAt', () => {
  it('records the marked changes as lost when the store is new', async () => {
    writePendingWork('1', { born: 5, kinds: { skill: 2 } });
    await ensureStoreCreatedAt(db);
    expect(readLoss('1')).toEqual({ skill: 2 });
  });

  it('returns the same time and records no loss when the store is opened again', async () => {
    const createdAt = await ensureStoreCreatedAt(db);
    writePendingWork('1', { born: createdAt, kinds: { skill: 2 } });
    db.close();
    db = open();
    expect(await ensureStoreCreatedAt(db)).toBe(createdAt);
    expect(readLoss('1')).toEqual({});
  });
});

describe('watchStore', () => {
  let control: AbortController;
  const marker = () => readPendingWork('1')?.kinds;
  const watch = async () => {
    watchStore(db, await ensureStoreCreatedAt(db), control.signal, () => undefined);
    await vi.waitFor(() => expect(marker()).toBeDefined());
  };
  /** As after an eviction: an empty store takes its place. */
  const replace = () =>
    db.transaction('rw', db.meta, db.outbox, async () => {
      await db.outbox.clear();
      await db.meta.put({ k: 'born', at: -1 });
    });
  beforeEach(() => {
    control = new AbortController();
  });
  afterEach(() => control.abort());

  it('marks the pending changes, and none once they are sent', async () => {
    await watch();
    await wait('skill:L_1', 'skill:L_2', 'chat:7');
    await vi.waitFor(() => expect(marker()).toEqual({ skill: 2, chat: 1 }));
    await db.outbox.clear();
    await vi.waitFor(() => expect(marker()).toEqual({}));
    expect(handleStoreLoss).not.toHaveBeenCalled();
  });

  it('reports the loss and keeps the marker when another store takes its place', async () => {
    await wait('skill:L_1', 'skill:L_2');
    await watch();
    await replace();
    await vi.waitFor(() => expect(handleStoreLoss).toHaveBeenCalledWith('gone'));
    expect(marker()).toEqual({ skill: 2 });
  });

  it('writes the marker again when it was deleted with the store', async () => {
    await wait('skill:L_1', 'skill:L_2');
    await watch();
    localStorage.removeItem('waiting:1');
    await replace();
    await vi.waitFor(() => expect(handleStoreLoss).toHaveBeenCalledWith('gone'));
    expect(marker()).toEqual({ skill: 2 });
  });

  it('reports the loss when the browser closes the connection to a replaced store', async () => {
    await watch();
    const change = db.backendDB().transaction('meta', 'readwrite');
    change.objectStore('meta').put({ k: 'born', at: -1 });
    await new Promise((done) => change.addEventListener('complete', done));
    db.on.close.fire(new Event('close'));
    await vi.waitFor(() => expect(handleStoreLoss).toHaveBeenCalledWith('gone'));
  });
});
