import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { hasPreparedTape, removePreparedTape } from '#features/auditions/prepared-tape.ts';
import { mediaFile } from '../support/media-file.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { fakeStorage } from './support/local-storage.ts';

let db: AccountDb;
beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  db = new AccountDb('prepared-tape', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => {
  db.close();
  vi.unstubAllGlobals();
});

test('what was prepared for a tape is removed with its files, and nothing else is', async () => {
  await db.media.bulkPut(['film', 'cv', 'other', 'queued'].map((id) => mediaFile({ id })));
  await db.outbox.put(outboxRow({ seq: 1, op: 'arrive', type: 'tape', target: 'L_tape', deps: ['queued'] }));
  const keep = (key: string, ...files: string[]) => db.drafts.put({ key, values: { files }, at: 0 });
  await keep('tape:1', 'film', 'take:A', 'queued');
  await keep('tape-cv:1', 'cv');
  await keep('tape:12', 'other');
  const dropped: string[] = [];
  const engine = {
    dropFile: (id: string) => {
      dropped.push(id);
      return Promise.resolve();
    },
  };
  expect(await hasPreparedTape(db, '1')).toBe(true);
  await removePreparedTape({ db, engine }, '1');
  expect(await hasPreparedTape(db, '1')).toBe(false);
  expect(await db.drafts.toCollection().primaryKeys()).toEqual(['tape:12']);
  // What was sent is needed until it has arrived.
  expect(dropped).toEqual(['film', 'cv']);
});

test('a CV alone is something that was prepared', async () => {
  expect(await hasPreparedTape(db, '1')).toBe(false);
  await db.drafts.put({ key: 'tape-cv:1', values: { files: ['cv'] }, at: 0 });
  expect(await hasPreparedTape(db, '1')).toBe(true);
});
