import type { AccountDb } from './database.ts';
import { groupChanges, readHold } from './queries.ts';
import type { OpState } from './rows.ts';
import type { QueueSummary, SaveState } from './views.ts';

/** The numbers for the status in the app bar. Counts by index and reads only rows with files. */
export async function queueSummary(db: AccountDb, now = Date.now()): Promise<QueueSummary> {
  return db.transaction('r', db.outbox, db.meta, async () => {
    const uploads = await db.outbox.where('lane').startsWith('upload:').toArray();
    const attached =
      uploads.length === 0
        ? []
        : await db.outbox
            .where('deps')
            .anyOf(uploads.map((row) => row.target))
            .distinct()
            .toArray();
    const withFiles = [...uploads, ...attached];
    const items = groupChanges(withFiles);
    /** Number of rows in a state without those that have files, which count together with their uploads. */
    const rest = async (state: OpState) =>
      (await db.outbox.where('[state+notBefore]').between([state, -Infinity], [state, Infinity]).count()) -
      withFiles.filter((row) => row.state === state).length;
    const of = (state: SaveState) => items.filter((item) => item.state === state).length;
    return {
      waiting: (await rest('queued')) + (await rest('verify')) + of('phone'),
      sending: (await rest('sending')) + of('sending'),
      needs: (await rest('attention')) + of('needs'),
      ...(await readHold(db, now)),
    };
  });
}
