import { serverId } from '#db/canonical.ts';
import type { OutboxRow, Reason } from '#db/rows.ts';
import type { CommitContext } from '../engine-ports.ts';
import { writeJournal } from '../queue/outbox.ts';
import { RETRY_AFTER_MS } from '../queue/planner.ts';

/** Stores a row in another state and adds a journal entry. */
export async function changeState(context: CommitContext, before: OutboxRow, after: OutboxRow): Promise<void> {
  await writeJournal(context, before, after.state, { status: after.lastError?.status ?? null });
  await context.db.outbox.put(after);
}

/** Marks a row as waiting for the user. The engine retries it after a while if the reason may go away by itself. */
export async function markNeedsAttention(
  context: CommitContext,
  row: OutboxRow,
  reason: Reason,
  error: OutboxRow['lastError'],
): Promise<void> {
  const { attempt: _attempt, checking: _checking, forPage: _forPage, ...idle } = row;
  const notBefore = context.clock.now() + (RETRY_AFTER_MS[reason] ?? 0);
  await changeState(context, row, { ...idle, state: 'attention', reason, notBefore, lastError: error });
  if (reason !== 'gone') return;
  const id = await serverId(context.db, row.target);
  const record = id === null ? undefined : await context.db.records.get([row.type, id]);
  if (!record || record.gone) return;
  // Keep the deleted record, so that the user can recreate it.
  await context.db.records.put({ ...record, gone: true });
  // The response may be older than a pull that has brought the record back since: read everything again.
  await context.db.cursors.clear();
}
