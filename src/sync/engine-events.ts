import { liveQuery } from 'dexie';
import type { AccountDb } from '#db/database.ts';
import type { JournalEntry } from '#db/rows.ts';
import { getSavedText } from './operations/index.ts';
import { retryReadOnStorageLoss } from './storage-error.ts';

/** A change reached its end or its next state, in this tab, another one or the worker. */
export interface EngineEvent {
  kind: JournalEntry['kind'];
  type: string;
  op: string;
  title: string;
  to: JournalEntry['to'];
  /** The words for an acknowledged change, where its section has some. */
  savedText?: string;
}

/** Calls back for every row that moves from now on, in any context. @returns ends it */
export function watchJournal(db: AccountDb, listener: (event: EngineEvent) => void): () => void {
  let last: number | null = null;
  const read = async () => {
    if (last !== null) return db.journal.where('n').above(last).toArray();
    const newest = await db.journal.orderBy('n').last();
    return newest ? [newest] : [];
  };
  // Dexie drops an aborted read silently, and its event would come with the next move, if there is one.
  // eslint-disable-next-line no-restricted-syntax -- not a screen, and repeated by its own means
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
