import { getEffect } from '#db/effects.ts';
import { serverId } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { loadLookup } from '#db/lookups.ts';
import { groupChanges, getDecidingRow } from '#db/queries.ts';
import type { JournalEntry, OutboxRow } from '#db/rows.ts';
import type { WaitingItem } from '#db/views.ts';
import { WAITING_FOR_WIFI } from '#lib/mobile-data.ts';
import { describeChange } from '../operations/index.ts';

/** The data of the screen "Waiting to send". Separate from the other queries, because no first screen needs it. */

/** Maximum number of rows shown that need attention, and of rows from the head of the queue. */
const MAX_SHOWN = 200;

/**
 * Lists the waiting changes and the changes acknowledged since `since` (ms since the epoch). An upload and the change
 * that attaches it are one item. A long queue is cut off at its head; `queueSummary` has the total.
 */
export async function listWaiting(
  db: AccountDb,
  since: number,
): Promise<{ needs: WaitingItem[]; moving: WaitingItem[]; savedToday: JournalEntry[] }> {
  const items = await waitingItems(db, await headOfQueue(db));
  const done = await db.journal
    .filter((entry) => entry.to === 'done' && getEffect(entry) !== 'upload' && entry.at >= since)
    .toArray();
  return {
    needs: items.filter((item) => item.state === 'needs'),
    moving: items.filter((item) => item.state !== 'needs'),
    savedToday: done.reverse(),
  };
}

async function headOfQueue(db: AccountDb): Promise<OutboxRow[]> {
  return db.transaction('r', db.outbox, async () => {
    const parked = db.outbox.where('[state+notBefore]').between(['attention', -Infinity], ['attention', Infinity]);
    const head = [
      ...(await parked.limit(MAX_SHOWN).toArray()),
      ...(await db.outbox.orderBy('seq').limit(MAX_SHOWN).toArray()),
    ];
    // An upload and the change that attaches it are one item, wherever they are in the queue.
    const files = head.flatMap((row) => (getEffect(row) === 'upload' ? [row.target] : row.deps));
    const rest =
      files.length === 0
        ? []
        : [
            ...(await db.outbox.where('deps').anyOf(files).toArray()),
            ...(await db.outbox
              .where('lane')
              .anyOf(files.map((id) => `upload:${id}`))
              .toArray()),
          ];
    const rows = new Map([...head, ...rest].map((row) => [row.seq, row]));
    return [...rows.values()].sort((a, b) => a.seq - b.seq);
  });
}

async function waitingItems(db: AccountDb, rows: readonly OutboxRow[]): Promise<WaitingItem[]> {
  const out: WaitingItem[] = [];
  const changes = groupChanges(rows);
  for (const change of changes) {
    const { row, upload, state, blocked } = change;
    const isFileShared =
      upload !== undefined && changes.some((other) => other !== change && other.row.deps.includes(upload.target));
    const files = await db.media.bulkGet(getEffect(row) === 'upload' ? [row.target] : row.deps);
    const file = files.find((each) => each?.id === upload?.target) ?? files.find((each) => each !== undefined);
    const telling = getDecidingRow(change);
    const isServerFull = state === 'phone' && [row, upload].some((each) => each?.lastError?.status === 507);
    const waitsForWifi =
      state === 'phone' && [row, upload].some((each) => each?.lastError?.message === WAITING_FOR_WIFI);
    const under = await underOf(db, row);
    const { media_type: mediaType } = { ...under, ...row.patch };
    const industryId = row.type === 'profile' ? row.patch.profile_industry_id : null;
    const industry =
      industryId == null ? undefined : (await loadLookup(db, 'industries')).find(({ id }) => id === String(industryId));
    out.push({
      op: telling.op,
      changeOp: row.op,
      row: telling,
      title: describeChange(row, under),
      under,
      state,
      blocked,
      ...(industry && { industry: industry.name }),
      ...(isFileShared && { isFileShared }),
      ...(isServerFull && { isServerFull }),
      ...(waitsForWifi && { waitsForWifi }),
      ...(typeof mediaType === 'string' && { mediaType }),
      ...(file && {
        upload: {
          mediaId: file.id,
          sent: file.offset,
          size: file.size,
          name: file.name,
          type: file.type,
          ...(file.thumb && { thumb: file.thumb }),
        },
      }),
    });
  }
  return out;
}

async function underOf(db: AccountDb, row: OutboxRow): Promise<Record<string, unknown>> {
  const created = (await db.outbox.where('target').equals(row.target).toArray()).find(
    (each) => getEffect(each) === 'create',
  );
  const id = await serverId(db, row.target);
  const record = id === null ? undefined : await db.records.get([row.type, id]);
  return { ...record?.body, ...created?.patch, ...(getEffect(row) === 'delete' ? row.base : {}) };
}
