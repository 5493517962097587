import { LOCAL } from '#db/canonical.ts';
import { getEffect } from '#db/effects.ts';
import type { AccountDb } from '#db/database.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import { actOnRecord } from '../operations/act.ts';
import { createRecord } from '../operations/create-record.ts';
import { getActTitle } from './acts.ts';
import { append, appendUpload, drop, getTables, type OutboxPorts } from './outbox.ts';
import { isSetAside, isUnsent } from './planner.ts';

/** One take of a tape: a stored file, and what it is called. At most `TAPE_LIMITS.takes` of them make a tape. */
export interface NewTake {
  mediaId: string;
  name: string;
  label: string | null;
}

export interface NewTape {
  /** The server's id of the audition. */
  auditionId: string;
  takes: readonly NewTake[];
  /** The PDF that goes with it: a stored file, and what it is called. */
  cv: Pick<NewTake, 'mediaId' | 'name'> | null;
  note: string | null;
  /** The performer does not want it shown to others by a link. */
  noLinks: boolean;
  /** The name of the role and its project. */
  title: string;
}

/**
 * Queues a tape: its announcement, the bytes of its takes and its CV, and the call that says that all have arrived. The announcement waits for no bytes, so that the
 * other side knows of the tape as early as possible. A tape of the same audition that has not left is replaced. The moment of this transaction counts
 * against the deadline.
 */
export async function sendTape(
  ports: OutboxPorts,
  { auditionId, takes, cv, note, noLinks, title }: NewTape,
): Promise<{ op: string }> {
  const { db, chance, clock } = ports;
  const [op, target] = [chance.uuid(), LOCAL + chance.uuid()];
  const arriveOp = chance.uuid();
  const files = [...takes, ...(cv ? [cv] : [])];
  const uploads = files.map(({ mediaId }) => ({ mediaId, op: chance.uuid() }));
  return db.transaction('rw', getTables(db), async () => {
    await dropUnsent(ports, auditionId);
    const described = await Promise.all(takes.map((take) => describe(db, take)));
    const pdf = cv && { cv: { upload_id: cv.mediaId, name: cv.name, size: (await readFile(db, cv.mediaId)).size } };
    for (const upload of uploads) await appendUpload(ports, upload.op, upload.mediaId);
    const now = clock.now();
    const known = await db.meta.get('clock');
    const heard = known?.k === 'clock' ? { clock_offset: known.offset, clock_age: Math.max(0, now - known.at) } : {};
    const finished = { finished_device: new Date(now).toISOString(), ...heard };
    const patch = { takes: described, ...pdf, note, no_links: noLinks, title, ...finished };
    await append(ports, createRecord, { op, type: 'tape', target, parent: auditionId, patch });
    const ids = files.map(({ mediaId }) => mediaId);
    const arrive = { act: 'arrive' as const, fields: { upload_ids: ids }, title: getActTitle('arrive', title) };
    await append(ports, actOnRecord, {
      op: arriveOp,
      type: 'tape',
      target,
      parent: auditionId,
      patch: arrive,
      deps: ids,
    });
    return { op };
  });
}

async function readFile(db: AccountDb, mediaId: string): Promise<MediaFile> {
  const file = await db.media.get(mediaId);
  if (file === undefined || file.state === 'importing') throw new Error('The file is not stored yet');
  return file;
}

/** What is sent of a take. */
async function describe(db: AccountDb, { mediaId, name, label }: NewTake) {
  const { duration = null, width = null, height = null, size } = await readFile(db, mediaId);
  return { upload_id: mediaId, name, label, duration, width, height, size };
}

/** Removes the tapes of an audition of which the server knows nothing yet, and the takes of one whose bytes it does not have. */
async function dropUnsent(ports: OutboxPorts, auditionId: string): Promise<void> {
  const rows = await ports.db.outbox.where('[parent+type]').equals([auditionId, 'tape']).sortBy('seq');
  const canGo = (row: OutboxRow) => isUnsent(row) || isSetAside(row);
  for (const row of rows.toReversed()) {
    // Of a tape that may have been announced, the bytes are not needed any more once a newer one is.
    const isBytes = getEffect(row) === 'act';
    if (canGo(row) && (isBytes || !rows.some((other) => other.target === row.target && !canGo(other))))
      await drop(ports, row, 'replaced');
  }
}
