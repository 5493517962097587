import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Engine } from '#sync/engine.ts';
import { createDevice } from './released/device.ts';
import { connect, createScene, DEVICE, describeRecords, RECORDED_AT } from './released/scene.ts';
import { fromText, restoreStore } from './released/store-file.ts';
import { createPrng } from './simulation/prng.ts';

const folder = join(import.meta.dirname, 'released/stores');
const files = readdirSync(folder).map((name) => ({ name, ...fromText(readFileSync(join(folder, name), 'utf8')) }));

const HOUR_MS = 3_600_000;

/** Each file is the store of a phone with unsent changes of every kind, as an earlier build left it. */
describe.each(files)('a store of the build of $name', (file) => {
  const queued = (file.tables['outbox']?.rows ?? []) as OutboxRow[];
  const hasCasting = queued.some(({ kind }) => kind === 'act');
  const parts = { hasCasting, hasTapes: queued.some(({ type }) => type === 'tape') };
  let db: AccountDb;
  let engine: Engine;
  let scene: ReturnType<typeof createScene>;

  beforeEach(async () => {
    const options = { indexedDB: new IDBFactory(), IDBKeyRange };
    await restoreStore('released', file, options);
    scene = createScene(parts);
    for (const request of file.writes) scene.server.handle(request, DEVICE);
    db = new AccountDb('released', file.userId, options);
    const { transport } = connect(scene);
    engine = createDevice(db, { transport, now: RECORDED_AT + HOUR_MS, prng: createPrng(7) });
  });

  afterEach(() => db.close());

  /** Sends until nothing moves any more. */
  async function sendAll(): Promise<OutboxRow[]> {
    for (let left = Infinity; ;) {
      await engine.drain(60_000);
      const rows = await db.outbox.orderBy('seq').toArray();
      if (rows.length >= left) return rows;
      left = rows.length;
    }
  }

  it('has every kind of change, one under way and one with a lost response', () => {
    const kinds = new Set(queued.map(({ kind }) => kind));
    const expected = ['accept', 'avatar', 'connect', 'create', 'delete', 'save', 'seen', 'send', 'update', 'upload'];
    expect([...kinds].sort()).toEqual(hasCasting ? ['accept', 'act', ...expected.slice(1)] : expected);
    expect(queued.filter(({ state }) => state === 'sending')).not.toEqual([]);
    expect(queued.filter(({ state, sentOnce }) => state === 'queued' && sentOnce)).not.toEqual([]);
  });

  it('is sent once, as by the build that stored it', async () => {
    expect(await sendAll()).toMatchObject([{ kind: 'create', state: 'attention', reason: 'invalid' }]);
    expect(describeRecords(scene.server, parts)).toEqual(file.records);
  });

  it('sends a refused change after its correction', async () => {
    const [refused] = await sendAll();
    const corrected = { experience_type: 'Movie', details: 'Lead', start_month: 1, start_year: 2020, end_month: 2 };
    const { op, type, target } = refused!;
    await engine.retryWithEdits({ op, type, id: target }, { ...corrected, end_year: 2020 });
    expect(await sendAll()).toEqual([]);
    expect(describeRecords(scene.server, parts).filter((line) => line.includes('Paper Boats'))).toHaveLength(1);
  });

  it('keeps its drafts and its mirror', async () => {
    expect(await db.drafts.toArray()).toEqual(file.tables['drafts']?.rows);
    expect(await db.records.count()).toBe(file.tables['records']?.rows.length);
  });
});
