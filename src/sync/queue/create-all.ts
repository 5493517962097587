import type { AccountDb } from '#db/database.ts';
import { appendUpload, create, getTables, type OutboxPorts, type Values } from './outbox.ts';

/** Whether the bytes of a stored file still have to be queued: another record that names it may have queued or even sent them. */
async function needsUpload(db: AccountDb, mediaId: string): Promise<boolean> {
  const isQueued = (await db.outbox.where('lane').equals(`upload:${mediaId}`).count()) > 0;
  return !isQueued && (await db.media.get(mediaId))?.state !== 'sent';
}

/**
 * Queues several new records of one type under the same record, all of them or none, and the bytes of the files that each of them names: once, however
 * many records there are. The records wait for the bytes.
 * @param files ids of stored files, such as the PDFs of requests to audition
 */
export async function createAll(
  ports: OutboxPorts,
  type: string,
  parent: string,
  records: readonly Values[],
  files: readonly string[] = [],
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const uploads = files.map((mediaId) => ({ mediaId, op: chance.uuid() }));
  return db.transaction('rw', getTables(db), async () => {
    for (const { mediaId, op } of uploads) {
      if (await needsUpload(db, mediaId)) await appendUpload(ports, op, mediaId);
    }
    let op: string | null = null;
    for (const fields of records) ({ op } = await create(ports, type, parent, fields, [...files]));
    return { op };
  });
}
