import { getEffect } from './effects.ts';
import type { Section } from '#contract/section.ts';
import { getHomeType } from './canonical.ts';
import type { IdPair, MirrorRecord, OutboxRow } from './rows.ts';
import type { Item, SaveState } from './views.ts';

const RANK: Record<SaveState, number> = { saved: 0, phone: 1, sending: 2, needs: 3 };

/** The state of a row as the user sees it. A row with a pending existence check waits like any other. */
export function getSaveState(row: Pick<OutboxRow, 'state'>): Exclude<SaveState, 'saved'> {
  if (row.state === 'attention') return 'needs';
  return row.state === 'sending' ? 'sending' : 'phone';
}

export interface PendingInput {
  type: string;
  records: readonly MirrorRecord[];
  /** Rows of this type, in `seq` order. */
  rows: readonly OutboxRow[];
  /** Local ids of records of this type. */
  pairs: readonly IdPair[];
}

/**
 * The optimistic overlay: applies the outbox rows to the mirror records. Omits records deleted on this device. Pure.
 */
export function applyPending({ type, records, rows, pairs }: PendingInput): Item[] {
  const items = new Map<string, Item>();
  const servers = new Map(pairs.map((pair) => [pair.local, pair.server]));
  const locals = new Map(pairs.flatMap((pair) => (pair.alias ? [] : [[pair.server, pair.local]])));
  /** Returns the one id of a record, whichever of its ids a change was written under. */
  const nameOf = (id: string) => locals.get(servers.get(id) ?? id) ?? servers.get(id) ?? id;
  const targeted = new Set(rows.map((row) => nameOf(row.target)));
  for (const record of records) {
    const id = nameOf(record.id);
    // Deleted on the server, and no queued change targets it any more.
    if (record.gone && !targeted.has(id)) continue;
    items.set(id, { key: id, id, serverId: record.id, type, parent: record.parent, body: record.body, state: 'saved' });
  }
  for (const row of rows) {
    const id = nameOf(row.target);
    const known = items.get(id);
    const item: Item = known ?? {
      key: id,
      id,
      serverId: servers.get(id) ?? null,
      type,
      parent: row.parent,
      body: row.base,
      state: 'saved',
    };
    items.set(id, applyRow(item, row));
  }
  for (const { local, alias } of pairs) {
    const item = alias && items.get(nameOf(local));
    if (item) items.set(item.id, { ...item, aliases: [...(item.aliases ?? []), local] });
  }
  return [...items.values()].filter((item) => item.removedBy === undefined);
}

function applyRow(item: Item, row: OutboxRow): Item {
  const state = getSaveState(row);
  const next = { ...item };
  if (getEffect(row) === 'create' || getEffect(row) === 'update') next.body = { ...item.body, ...row.patch };
  if (getEffect(row) === 'delete' && row.state !== 'attention') next.removedBy = row.op;
  if (RANK[state] > RANK[item.state] || item.op === undefined) {
    next.state = state;
    next.op = row.op;
    delete next.reason;
    delete next.error;
    if (row.reason) next.reason = row.reason;
    if (row.lastError && state === 'needs') next.error = row.lastError;
  }
  return next;
}

/** The parts of profile rows that change one mirror record: the profile itself or one of its single-value sections. */
export function getRowsOfHome(rows: readonly OutboxRow[], home: string): OutboxRow[] {
  return rows.flatMap((row) => {
    if (getEffect(row) === 'create' && home === 'profile') return [row];
    const fields = Object.keys(row.patch).filter((field) => getHomeType('profile', field) === home);
    if (fields.length === 0) return [];
    return [{ ...row, patch: Object.fromEntries(fields.map((field) => [field, row.patch[field]])) }];
  });
}

/**
 * Sorts a section for display: newest date first, then records that the server does not have yet, then newest created.
 */
export function sortItems(section: Pick<Section, 'dateRank'> | null, items: readonly Item[]): Item[] {
  const rank = (item: Item) => section?.dateRank?.(item.body) ?? 0;
  return [...items].sort((a, b) => rank(b) - rank(a) || compareNewestFirst(a, b));
}

function compareNewestFirst(a: Item, b: Item): number {
  if ((a.serverId === null) !== (b.serverId === null)) return a.serverId === null ? -1 : 1;
  const made = String(b.body.created_at ?? '').localeCompare(String(a.body.created_at ?? ''));
  return made !== 0 ? made : String(b.serverId).localeCompare(String(a.serverId), undefined, { numeric: true });
}
