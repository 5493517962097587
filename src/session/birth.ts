import { bornAt } from '#db/born.ts';
import type { AccountDb } from '#db/database.ts';

/** When this store was made. A store made just now takes the place of one that may have held unsent changes. */
export async function birthOf(db: AccountDb): Promise<number> {
  const born = await bornAt(db);
  if (born !== null) return born;
  // There is nothing to look for on a new device: local storage is empty, too.
  if (Object.keys(localStorage).some((key) => key.startsWith('waiting')))
    (await import('./canary.ts')).noteLoss(db.userId);
  const at = Date.now();
  await db.meta.put({ k: 'born', at });
  return at;
}
