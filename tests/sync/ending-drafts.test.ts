import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { createEngine, type Engine } from '#sync/engine.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { Disk, type Storage } from './simulation/disk.ts';
import type { Scheduler } from './simulation/scheduler.ts';

/** The disk only needs a scheduler that calls back later. */
const later = { queue: (call: () => void) => void setImmediate(call) } as unknown as Scheduler;

const ports: EnginePorts = {
  clock: { now: () => 1000, after: () => () => undefined },
  chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
  transport: { send: () => Promise.resolve({ status: 0, reason: 'network' }) },
  lock: { tryRun: () => Promise.resolve(false) },
  loadConflictTools: () => Promise.resolve(conflictTools),
};

const KEY = 'skill:new:7';
const OTHER = 'skill:new:8';

describe('a form whose draft ends with what it saves', () => {
  let disk: Disk;
  let storage: Storage;
  let db: AccountDb;
  let engine: Engine;

  beforeEach(async () => {
    disk = new Disk(later);
    await open();
    for (const key of [KEY, OTHER]) await db.drafts.put({ key, values: { name: 'Fencing' }, at: 0 });
  });

  async function open(): Promise<void> {
    storage = disk.storage();
    db = new AccountDb('test', 'u1', storage.options());
    await db.open();
    engine = createEngine(db, ports);
  }
  const save = async () => (await engine.endingDraft(KEY)).create('skill', '7', { name: 'Fencing' });
  const read = () =>
    db.transaction('r', db.drafts, db.outbox, async () => ({
      drafts: await db.drafts.toCollection().primaryKeys(),
      rows: await db.outbox.count(),
    }));
  const UNSAVED = { drafts: [KEY, OTHER], rows: 0 };
  const SAVED = { drafts: [OTHER], rows: 1 };

  it('has either the draft or the change after a page that was killed at any moment', async () => {
    let lastUnsaved = -1;
    let firstSaved = -1;
    for (let turns = 0; firstSaved < 0 || turns < firstSaved + 5; turns += 1) {
      expect(turns).toBeLessThan(200);
      void save().catch(() => undefined);
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      storage.kill();
      await open();
      const found = await read();
      if (found.rows === 0) lastUnsaved = turns;
      else if (firstSaved < 0) firstSaved = turns;
      expect(found).toEqual(found.rows === 0 ? UNSAVED : SAVED);
      await db.outbox.clear();
      await db.drafts.put({ key: KEY, values: { name: 'Fencing' }, at: 0 });
    }
    // Moments before and after the change were tried.
    expect(lastUnsaved).toBeGreaterThan(0);
    expect(firstSaved).toBeGreaterThan(lastUnsaved);
  });

  it('keeps the draft if the device cannot store the change', async () => {
    storage.fault = { kind: 'QuotaExceededError', after: 1, times: 10 };
    await expect(save()).rejects.toThrow();
    storage.fault = null;
    expect(await read()).toEqual(UNSAVED);
  });

  it('repeats both if the connection is lost in between', async () => {
    storage.fault = { kind: 'closed', after: 2, times: 1 };
    await save();
    expect(storage.faultCount).toBeGreaterThan(0);
    expect(await read()).toEqual(SAVED);
  });

  it('leaves the drafts alone in other writes', async () => {
    await engine.create('skill', '7', { name: 'Fencing' });
    expect(await read()).toEqual({ ...UNSAVED, rows: 1 });
  });
});
