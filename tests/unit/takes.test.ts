import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { countTakes, getCurrentCopy, listTakes, nameNextTake } from '#db/takes.ts';
import { getRawName, getTakePath } from '#lib/take-folder.ts';
import { countPendingWork } from '#open-store/store-watch.ts';
import { formatSaved } from '#shared/takes/recover-takes.ts';
import { cutTake, deleteTake, openSink, readRecording } from '#shared/takes/take-storage.ts';

const take = (given: Partial<Take>): Take => ({
  id: 'one',
  state: 'sealed',
  storage: 'slices',
  name: 'Take 1',
  mime: 'video/webm;codecs=vp8,opus',
  startedAt: 0,
  bytes: 0,
  duration: 10,
  size: null,
  stars: 0,
  range: null,
  end: 'person',
  ...given,
});

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('takes', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => db.close());

describe('takes without a file system', () => {
  it('are kept slice by slice, and read as one recording', async () => {
    const recorded = take({ state: 'recording' });
    const sink = await openSink(db, recorded);
    await sink.append(new Uint8Array([1, 2]).buffer, 1000);
    expect(await sink.append(new Uint8Array([3]).buffer, 2000)).toEqual({ slices: 2, bytes: 3, endMs: 2000 });
    await sink.close();
    const recording = await readRecording(db, recorded);
    expect(recording?.type).toBe(recorded.mime);
    expect(new Uint8Array(await recording!.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
    expect(await cutTake(db, recorded)).toEqual({ slices: 2, bytes: 3, endMs: 2000 });
  });

  it('leave nothing when they are deleted, and other takes as they are', async () => {
    for (const id of ['one', 'two']) {
      await db.takes.put(take({ id }));
      await (await openSink(db, take({ id }))).append(new Uint8Array([1]).buffer, 1000);
      await db.posters.put({ take: id, jpeg: new ArrayBuffer(1) });
    }
    await deleteTake(db, take({ id: 'one' }));
    expect(await db.takes.toCollection().primaryKeys()).toEqual(['two']);
    expect(await db.slices.toCollection().primaryKeys()).toEqual([['two', 0]]);
    expect(await db.posters.toCollection().primaryKeys()).toEqual(['two']);
    expect(await readRecording(db, take({ id: 'one' }))).toBeNull();
  });
});

describe('the list of takes', () => {
  it('shows the newest first, and none that is being deleted', async () => {
    await db.takes.bulkPut([
      take({ id: 'old', startedAt: 1 }),
      take({ id: 'gone', startedAt: 2, state: 'deleted' }),
      take({ id: 'new', startedAt: 3, state: 'recording' }),
    ]);
    expect((await listTakes(db)).map(({ id }) => id)).toEqual(['new', 'old']);
    expect(await countTakes(db)).toBe(2);
  });

  it('counts on from the highest number, also after one was deleted or renamed', () => {
    expect(nameNextTake([])).toBe('Take 1');
    expect(nameNextTake([{ name: 'Take 3' }, { name: 'Slate' }, { name: 'Take 1' }])).toBe('Take 4');
    expect(nameNextTake([{ name: 'Take 1 again' }])).toBe('Take 1');
  });

  it('counts among what waits on this device, so that a loss is noticed', async () => {
    expect((await countPendingWork(db)).kinds).toEqual({});
    await db.takes.bulkPut([take({ id: 'one' }), take({ id: 'two' })]);
    expect((await countPendingWork(db)).kinds).toEqual({ take: 2 });
  });
});

it('uses a finished copy only for the part that it was made of', () => {
  const copy = { sha256: '', size: 1, duration: 1, provenAt: 0 };
  expect(getCurrentCopy(take({ copy: { ...copy, range: null } }))).toBeDefined();
  expect(
    getCurrentCopy(take({ copy: { ...copy, range: { from: 1, to: 3 } }, range: { from: 1, to: 3 } })),
  ).toBeDefined();
  expect(getCurrentCopy(take({ copy: { ...copy, range: null }, range: { from: 1, to: 3 } }))).toBeUndefined();
  expect(getCurrentCopy(take({}))).toBeUndefined();
});

it('tells how long a recovered take is', () => {
  const startedAt = new Date(2026, 10, 26, 14, 32).getTime();
  expect(formatSaved([{ startedAt, duration: 39.1 }])).toBe('Your take of 14:32 was saved (39 s)');
  expect(formatSaved([take({}), take({})])).toBe('2 interrupted takes were saved');
});

it('keeps the takes of two accounts in different folders, whatever the store is called', () => {
  expect(getTakePath('app:1f:7', 'x')).toEqual(['takes', 'app%3A1f%3A7', 'x']);
  expect([getRawName('video/mp4;codecs=avc1'), getRawName('video/webm')]).toEqual(['raw.mp4', 'raw.webm']);
});
