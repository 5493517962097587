import { beforeEach, describe, expect, it } from 'vitest';
import { mediaItems } from '#db/queries.ts';
import { acknowledge } from '#sync/send/acknowledge.ts';
import type { CommitContext } from '#sync/engine-ports.ts';
import { collectFiles } from '#sync/files/collect.ts';
import { outboxRow } from '../support/outbox-row.ts';
import { useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();

/** Stores a picked file and the server's answer to the change that attaches it. */
async function attach(file: string, id: number): Promise<void> {
  const { db } = device;
  await db.media.put({
    ...{ id: file, state: 'sent', name: 'a.jpg', type: 'image/jpeg', size: 9, sha256: '', chunks: 1, offset: 9 },
    ...{ thumb: new ArrayBuffer(2), createdAt: device.now },
  });
  await db.chunks.put({ media: file, n: 0, bytes: new ArrayBuffer(9) });
  const row = outboxRow({ kind: 'create', type: 'media', target: `L_${file}`, lane: `media:L_${file}`, deps: [file] });
  const record = { id, profile_id: 7, media_type: 'photo', file_path: `/storage/${file}.jpg`, version: 1 };
  await db.transaction('rw', db.tables, async () => {
    await acknowledge({ ...device.ports, server: null } as unknown as CommitContext, row, { record, existed: false });
  });
}

const shown = async () => (await mediaItems(device.db, '7')).map(({ serverId, file }) => [serverId, file?.id]);

describe('the thumbnail of a file that has been sent', () => {
  beforeEach(() => attach('photo', 12));

  it('stays with its medium, without the bytes of the file', async () => {
    await collectFiles(device.db, device.now + 86_400_000);
    expect([await shown(), await device.db.chunks.count()]).toEqual([[['12', 'photo']], 0]);
  });

  it('goes with its medium', async () => {
    await attach('other', 13);
    await device.db.records.delete(['media', '12']);
    await collectFiles(device.db, device.now);
    expect(await device.db.media.toCollection().primaryKeys()).toEqual(['other']);
  });

  it('goes, and nothing else, when no medium is left', async () => {
    await device.db.records.delete(['media', '12']);
    const { serverId: _none, ...picked } = (await device.db.media.get('photo'))!;
    await device.db.media.add({ ...picked, id: 'new', state: 'ready' });
    await collectFiles(device.db, device.now);
    expect(await device.db.media.toCollection().primaryKeys()).toEqual(['new']);
  });
});
