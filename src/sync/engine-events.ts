import { liveQuery } from 'dexie';
import type { AccountDb } from '#db/database.ts';
import type { JournalEntry } from '#db/rows.ts';
import { getSavedText } from './operations/index.ts';
import { retryReadOnStorageLoss } from './storage-error.ts';

/** A change moved to another state or ended, in this tab, another tab or the worker. */
export interface EngineEvent {
  kind: JournalEntry['kind'];
  type: string;
  op: string;
  title: string;
  to: JournalEntry['to'];
  /** Text for an acknowledged change: the server's message, or else the text of its section. */
  savedText?: string;
}

/**
 * Calls `listener` for every later state change of a row, in any tab or worker.
 * @returns a function that unsubscribes
 */
export function watchJournal(db: AccountDb, listener: (event: EngineEvent) => void): () => void {
  let last: number | null = null;
  const read = async () => {
    if (last !== null) return db.journal.where('n').above(last).toArray();
    const newest = await db.journal.orderBy('n').last();
    return newest ? [newest] : [];
  };
  // Dexie drops an aborted read silently. Without the retry, its events would wait for the next journal entry.
  // eslint-disable-next-line no-restricted-syntax -- no screen query, and retried here
  const subscription = liveQuery(async () => retryReadOnStorageLoss(db, read)).subscribe((entries) => {
    const isFirst = last === null;
    last = entries.at(-1)?.n ?? last ?? 0;
    if (isFirst) return;
    for (const { kind, type, op, title, to, said } of entries) {
      const savedText = to === 'done' ? (said ?? getSavedText(kind, type)) : undefined;
      listener({ kind, type, op, title, to, ...(savedText && { savedText }) });
    }
  });
  return () => subscription.unsubscribe();
}
