import { countPending, DETAIL_HEADER, formatPending, PENDING_HEADER, SAY_PENDING } from '#contract/pending.ts';
import type { PendingKind, PendingKinds } from '#contract/pending.ts';
import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Transport } from '../ports.ts';

/** Kinds of changes that are not edits. */
const KINDS: Partial<Record<string, PendingKind>> = {
  avatar: 'photo',
  image: 'photo',
  video: 'video',
  audio: 'audio',
  document: 'document',
  send: 'message',
  connect: 'request',
  accept: 'request',
  save: 'other',
  seen: 'other',
  act: 'other',
};
const TIMEOUT_MS = 15_000;

/** How a row counts. Null for the bytes of a file, which count as one change with its record. */
function getKind(row: OutboxRow): PendingKind | null {
  const effect = getEffect(row);
  if (effect === 'upload') return null;
  // A connection that ends is a change between two people too.
  if (row.lane.startsWith('person:')) return 'request';
  return KINDS[effect === 'create' ? String(row.patch.media_type) : effect] ?? 'edit';
}

/** What waits on this device. */
export interface Waiting {
  kinds: PendingKinds;
  /** Ms since the epoch. */
  oldestAt: number;
}

/** Rows that are read one by one. A longer queue is counted, since reading it would take longer than sending from it. */
const READ_ROWS = 500;

export async function readWaiting(db: AccountDb): Promise<Waiting> {
  const kinds: PendingKinds = {};
  let oldestAt = Infinity;
  const rows = await db.outbox.limit(READ_ROWS).toArray();
  for (const row of rows) {
    add(kinds, row, 1);
    oldestAt = Math.min(oldestAt, row.createdAt);
  }
  if (rows.length === READ_ROWS) kinds.edit = (kinds.edit ?? 0) + (await db.outbox.count()) - READ_ROWS;
  return { kinds, oldestAt };
}

function add(kinds: PendingKinds, row: OutboxRow, count: number): void {
  const kind = getKind(row);
  // A row that was queued after the count.
  if (kind) kinds[kind] = Math.max(0, (kinds[kind] ?? 0) + count);
}

/** What the server is told, as text; '' if nothing waits. */
export const toText = ({ kinds, oldestAt }: Waiting): string =>
  countPending(kinds) > 0 ? formatPending(kinds, oldestAt) : '';

export function toHeaders({ kinds, oldestAt }: Waiting): Record<string, string> {
  const text = toText({ kinds, oldestAt });
  return { [PENDING_HEADER]: String(countPending(kinds)), ...(text && { [DETAIL_HEADER]: text }) };
}

/**
 * Tells the server during a drain which changes wait here, so that it can say what was lost if the browser deletes the store. Each request
 * says what waits besides its own row, so the last one says that nothing does.
 */
export class Ledger {
  private readonly db: AccountDb;
  private readonly waiting: Waiting;
  /** What the server heard last. */
  private heard: string;
  private readonly told: string;

  constructor(db: AccountDb, told: string, waiting: Waiting) {
    this.db = db;
    this.heard = this.told = told;
    this.waiting = waiting;
  }

  /** What waits besides a row that is about to be sent. */
  without(row: OutboxRow): Waiting {
    const kinds = { ...this.waiting.kinds };
    add(kinds, row, -1);
    return { ...this.waiting, kinds };
  }

  /** The server answered a request. @param isDone whether the row has arrived */
  note(row: OutboxRow, said: Waiting, isDone: boolean): void {
    this.heard = toText(said);
    if (isDone) add(this.waiting.kinds, row, -1);
  }

  /** Says what waits now, unless the server knows. If it cannot be reached, the next drain says it. */
  async close(transport: Transport | null): Promise<void> {
    const waiting = await readWaiting(this.db);
    const text = toText(waiting);
    if (text !== this.heard && transport) {
      const request = { ...SAY_PENDING, headers: toHeaders(waiting), timeoutMs: TIMEOUT_MS, keepalive: true };
      const { status } = await transport.send(request, { userId: this.db.userId });
      if (status === 204) this.heard = text;
    }
    if (this.heard !== this.told) await this.db.meta.put({ k: 'told', text: this.heard });
  }
}

/** Null until the app has told the server at a start what waits here, and on servers that do not listen. */
export async function openLedger(db: AccountDb): Promise<Ledger | null> {
  const told = await db.meta.get('told');
  return told?.k === 'told' ? new Ledger(db, told.text, await readWaiting(db)) : null;
}
