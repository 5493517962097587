import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { readDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { outboxRow } from '../support/outbox-row.ts';

test('a draft does not bring back a file that was queued before the page ended', async () => {
  const db = new AccountDb('draft-files', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const stored = {
    state: 'ready',
    type: 'image/jpeg',
    size: 4,
    sha256: '',
    chunks: 1,
    offset: 0,
    createdAt: 0,
  } as const;
  await db.media.bulkPut(['one', 'two'].map((id) => ({ ...stored, id, name: `${id}.jpg` })));
  await db.outbox.put(outboxRow({ seq: 1, op: 'photo', type: 'media', target: 'L_photo', parent: '7', deps: ['one'] }));
  const draft = { files: ['one', 'two'] };
  const read = async (withSent: boolean) => (await readDraftFiles(db, draft, withSent)).map(({ mediaId }) => mediaId);
  expect(await read(false)).toEqual(['two']);
  // A request to audition that was refused is sent again with the same files.
  expect(await read(true)).toEqual(['one', 'two']);
  db.close();
});
