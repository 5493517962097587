import { serverId } from './canonical.ts';
import type { AccountDb } from './database.ts';
import { describe } from './describe.ts';
import { group, tellingOf } from './queries.ts';
import type { JournalEntry, OutboxRow } from './rows.ts';
import type { WaitingItem } from './views.ts';

/** What Waiting to send shows, in words. Apart from the other queries, for no first screen needs it. */

/** Everything that waits, an upload and what attaches it as one; and what was saved since `since` (ms). */
export async function waiting(
  db: AccountDb,
  since: number,
): Promise<{ needs: WaitingItem[]; moving: WaitingItem[]; savedToday: JournalEntry[] }> {
  const items = await waitingItems(db, await db.outbox.orderBy('seq').toArray());
  const done = await db.journal
    .filter((entry) => entry.to === 'done' && entry.kind !== 'upload' && entry.at >= since)
    .toArray();
  return {
    needs: items.filter((item) => item.state === 'needs'),
    moving: items.filter((item) => item.state !== 'needs'),
    savedToday: done.reverse(),
  };
}

async function waitingItems(db: AccountDb, rows: readonly OutboxRow[]): Promise<WaitingItem[]> {
  const out: WaitingItem[] = [];
  for (const change of group(rows)) {
    const { row, state, blocked } = change;
    const files = await db.media.bulkGet(row.kind === 'upload' ? [row.target] : row.deps);
    const file = files.find((each) => each !== undefined);
    const telling = tellingOf(change);
    const isServerFull = state === 'phone' && [row, change.upload].some((each) => each?.lastError?.status === 507);
    const under = await underOf(db, row);
    const { media_type: mediaType } = { ...under, ...row.patch };
    out.push({
      op: telling.op,
      row: telling,
      title: describe(row, under),
      state,
      blocked,
      ...(isServerFull && { isServerFull }),
      ...(typeof mediaType === 'string' && { mediaType }),
      ...(file && {
        upload: {
          mediaId: file.id,
          sent: file.offset,
          size: file.size,
          name: file.name,
          ...(file.thumb && { thumb: file.thumb }),
        },
      }),
    });
  }
  return out;
}

async function underOf(db: AccountDb, row: OutboxRow): Promise<Record<string, unknown>> {
  const created = (await db.outbox.where('lane').equals(row.lane).toArray()).find((each) => each.kind === 'create');
  const id = await serverId(db, row.target);
  const record = id === null ? undefined : await db.records.get([row.type, id]);
  return { ...record?.body, ...created?.patch, ...(row.kind === 'delete' ? row.base : {}) };
}
