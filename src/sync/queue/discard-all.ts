import type { AccountDb } from '#db/database.ts';
import { getTables } from './outbox.ts';

/** Discards all unsent changes, for a sign-out that keeps nothing. */
export async function discardAll(db: AccountDb): Promise<void> {
  await db.transaction('rw', getTables(db), async () => {
    await db.outbox.clear();
    await db.chunks.clear();
    await db.media.clear();
    await db.drafts.clear();
  });
}
