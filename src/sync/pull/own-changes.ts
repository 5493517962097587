import { getEffect } from '#db/effects.ts';
import type { AccountDb } from '#db/database.ts';
import type { JournalEntry, OutboxRow } from '#db/rows.ts';
import { findOperation } from '../operations/index.ts';

/** The number of the last journal entry. */
export const getLastEntry = async (db: AccountDb): Promise<number> => (await db.journal.orderBy('n').last())?.n ?? 0;

/** The changes that the server acknowledged after this journal entry. Call it inside the transaction. */
export const acknowledgedSince = (db: AccountDb, entry: number): Promise<JournalEntry[]> =>
  db.journal
    .where('n')
    .above(entry)
    .filter(({ to }) => to === 'done')
    .toArray();

type Key = readonly [type: string, id: string];
const nameOf = ([type, id]: Key) => `${type} ${id}`;

/**
 * Whether a page has a record without a version that one of our own changes changed after the page was requested. The
 * page may be older than that change. Call it inside the transaction.
 * @param entry the last journal entry at the time of the request
 */
export async function isOvertaken(db: AccountDb, entry: number, page: readonly Key[]): Promise<boolean> {
  // Most pages of a pull are empty.
  if (page.length === 0) return false;
  const names = new Set(page.map(nameOf));
  const done = await acknowledgedSince(db, entry);
  return done.some(({ unversioned }) => unversioned !== undefined && names.has(nameOf(unversioned)));
}

/**
 * Marks the changes of these records that are being sent, if the records have no version, for a new read after their
 * response, which may be older than what a pull has just brought. Call it inside the transaction.
 */
export async function recheckUnversioned(db: AccountDb, brought: readonly Key[]): Promise<void> {
  if (brought.length === 0) return;
  const sending = db.outbox.where('[state+notBefore]').between(['sending', -Infinity], ['sending', Infinity]);
  for (const row of await sending.toArray())
    if (row.recheck === undefined && isAmong(row, brought)) await db.outbox.put({ ...row, recheck: true });
}

function isAmong(row: OutboxRow, brought: readonly Key[]): boolean {
  // A deleted record stays deleted, whatever the page says.
  if (getEffect(row) === 'delete') return false;
  const [type, id] = findOperation(row)?.unversionedRecord?.(row) ?? [];
  return brought.some((record) => record[0] === type && (id === null || record[1] === id));
}
