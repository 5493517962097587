import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { birthOf } from '#session/birth.ts';
import { readCanary, readLoss, writeCanary } from '#session/canary.ts';
import { watchStore } from '#session/store-watch.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { fakeStorage } from './support/local-storage.ts';

const { leaveStore } = vi.hoisted(() => ({ leaveStore: vi.fn<(why: string) => void>() }));
vi.mock('#session/store-loss.ts', () => ({
  leaveStore,
  readAgain: <T>(db: AccountDb, query: (db: AccountDb) => Promise<T>) => query(db),
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
  leaveStore.mockReset();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('reportError', vi.fn());
  db = open();
});
afterEach(async () => {
  await db.delete();
  vi.unstubAllGlobals();
});

describe('a store that is opened', () => {
  it('and was made just now has lost what was noted of the one before', async () => {
    writeCanary('1', { born: 5, kinds: { skill: 2 } });
    await birthOf(db);
    expect(readLoss('1')).toEqual({ skill: 2 });
  });

  it('again is the same one, and has lost nothing', async () => {
    const born = await birthOf(db);
    writeCanary('1', { born, kinds: { skill: 2 } });
    db.close();
    db = open();
    expect(await birthOf(db)).toBe(born);
    expect(readLoss('1')).toEqual({});
  });
});

describe('a store that is watched', () => {
  let control: AbortController;
  const noted = () => readCanary('1')?.kinds;
  const watch = async () => {
    watchStore(db, await birthOf(db), control.signal, () => undefined);
    await vi.waitFor(() => expect(noted()).toBeDefined());
  };
  /** As after the browser deleted it: an empty one stands in its place. */
  const replace = () =>
    db.transaction('rw', db.meta, db.outbox, async () => {
      await db.outbox.clear();
      await db.meta.put({ k: 'born', at: -1 });
    });
  beforeEach(() => {
    control = new AbortController();
  });
  afterEach(() => control.abort());

  it('has what waits in it noted, and nothing more once it is sent', async () => {
    await watch();
    await wait('skill:L_1', 'skill:L_2', 'chat:7');
    await vi.waitFor(() => expect(noted()).toEqual({ skill: 2, chat: 1 }));
    await db.outbox.clear();
    await vi.waitFor(() => expect(noted()).toEqual({}));
    expect(leaveStore).not.toHaveBeenCalled();
  });

  it('ends the page once another stands in its place, and the note stays as it was', async () => {
    await wait('skill:L_1', 'skill:L_2');
    await watch();
    await replace();
    await vi.waitFor(() => expect(leaveStore).toHaveBeenCalledWith('gone'));
    expect(noted()).toEqual({ skill: 2 });
  });

  it('is noted once more where the note went with it', async () => {
    await wait('skill:L_1', 'skill:L_2');
    await watch();
    localStorage.removeItem('waiting:1');
    await replace();
    await vi.waitFor(() => expect(leaveStore).toHaveBeenCalledWith('gone'));
    expect(noted()).toEqual({ skill: 2 });
  });

  it('ends the page where the browser closed it without a word of what became of it', async () => {
    await watch();
    const change = db.backendDB().transaction('meta', 'readwrite');
    change.objectStore('meta').put({ k: 'born', at: -1 });
    await new Promise((done) => change.addEventListener('complete', done));
    db.on.close.fire(new Event('close'));
    await vi.waitFor(() => expect(leaveStore).toHaveBeenCalledWith('gone'));
  });
});
