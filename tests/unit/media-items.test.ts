import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { mediaItems } from '#db/queries.ts';
import type { OutboxRow } from '#db/rows.ts';
import { mediaFile } from '../support/media-file.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('media-items', '1');
});
afterEach(() => db.delete());

const FILE = mediaFile({ id: 'f', name: 'stage.jpg' });

async function pick(upload: Partial<OutboxRow>): Promise<void> {
  await db.media.put(FILE);
  await db.outbox.bulkAdd([
    outboxRow({ seq: 1, op: 'bytes', kind: 'upload', type: 'upload', target: 'f', lane: 'upload:f', ...upload }),
    outboxRow({ seq: 2, op: 'photo', kind: 'create', type: 'media', target: 'L_m', lane: 'media:L_m', deps: ['f'] }),
  ]);
}

it.each([
  ['waits on the device', { state: 'queued' }, 'phone'],
  ['is on its way', { state: 'sending' }, 'sending'],
  ['needs the person', { state: 'attention', reason: 'invalid' }, 'needs'],
] as const)('a picked photo whose file %s says so', async (_, upload, state) => {
  await pick(upload);
  const [photo] = await mediaItems(db, '1');
  // The change of its words is another one, and no form mends a file.
  expect(photo).toMatchObject({ state, op: 'photo' });
  expect(photo?.reason).toBeUndefined();
});
