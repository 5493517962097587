import { serverId } from '#db/canonical.ts';
import type { OutboxRow, Reason } from '#db/rows.ts';
import type { ServerAdapter } from '../server/adapter.ts';
import { type OutboxPorts, writeJournal } from '../queue/outbox.ts';

/** What the parts of a step share; all run inside its transaction. */
export interface CommitContext extends OutboxPorts {
  server: ServerAdapter;
  /** How many rows wait, where they have not been read anyway; may be a moment old. */
  countWaiting(): Promise<number>;
  /** True when other work went through since this row's trouble began: then the trouble is the row's own. */
  othersSucceed(op: string): boolean;
}

/** What is parked without a word of the server is tried again by itself after this. */
export const RETRY_ATTENTION_MS = 24 * 3_600_000;

/** Puts a row back in another state. */
export async function changeState(context: CommitContext, before: OutboxRow, after: OutboxRow): Promise<void> {
  await writeJournal(context, before, after.state, { status: after.lastError?.status ?? null });
  await context.db.outbox.put(after);
}

/** The row waits for the person. */
export async function markNeedsAttention(
  context: CommitContext,
  row: OutboxRow,
  reason: Reason,
  error: OutboxRow['lastError'],
): Promise<void> {
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  await changeState(context, row, { ...idle, state: 'attention', reason, lastError: error });
  if (reason !== 'gone') return;
  const id = await serverId(context.db, row.target);
  const record = id === null ? undefined : await context.db.records.get([row.type, id]);
  // Kept, so that it can be made again.
  if (record) await context.db.records.put({ ...record, gone: true });
}
