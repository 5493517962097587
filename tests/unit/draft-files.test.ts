import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { readDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { mediaFile } from '../support/media-file.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('draft-files', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => db.close());

test('a draft does not bring back a file that was queued before the page ended', async () => {
  await db.media.bulkPut(['one', 'two'].map((id) => mediaFile({ id })));
  await db.outbox.put(outboxRow({ seq: 1, op: 'photo', type: 'media', target: 'L_photo', parent: '7', deps: ['one'] }));
  const draft = { files: ['one', 'two'] };
  const read = async (withSent: boolean) => (await readDraftFiles(db, draft, withSent)).map(({ mediaId }) => mediaId);
  expect(await read(false)).toEqual(['two']);
  // A request to audition that was refused is sent again with the same files.
  expect(await read(true)).toEqual(['one', 'two']);
});

const RANGE = { from: 4, to: 9 };
const take: Take = {
  id: 'A',
  state: 'sealed',
  storage: 'slices',
  name: 'Take 1',
  mime: 'video/webm',
  startedAt: 0,
  bytes: 20,
  duration: 12,
  size: null,
  stars: 0,
  range: RANGE,
  end: 'person',
};

test('the recording of a trimmed take, which the person chose to send, is still there when the sheet is opened again', async () => {
  await db.takes.put(take);
  await db.media.put(mediaFile({ id: 'file', name: 'Take 1.webm', type: 'video/webm' }));
  const chosen = { id: 'A', range: null, isOriginal: true };
  const [file] = await readDraftFiles(db, { files: ['file'], takes: { file: chosen } });
  expect(file).toMatchObject({ state: 'stored', mediaId: 'file', take: chosen });
  // The page ended before it was stored.
  const [waiting] = await readDraftFiles(db, { files: ['take:A'], takes: { 'take:A': chosen } });
  expect(waiting).toMatchObject({ state: 'making', take: { id: 'A', isOriginal: true } });
});

test('the MP4 of a take that was trimmed since is made once more', async () => {
  await db.takes.put(take);
  await db.media.put(mediaFile({ id: 'file', name: 'Take 1.mp4', type: 'video/mp4' }));
  const read = (range: Take['range']) => readDraftFiles(db, { files: ['file'], takes: { file: { id: 'A', range } } });
  expect(await read(RANGE)).toMatchObject([{ state: 'stored', mediaId: 'file' }]);
  expect(await read(null)).toMatchObject([{ state: 'making', take: { id: 'A', range: RANGE } }]);
});
