import type { LostRecord } from '#contract/records/devices.ts';
import type { AccountDb } from './database.ts';

/** What was lost with the storage of the person's devices, as far as this one was told. */
export async function readLost({ meta }: Pick<AccountDb, 'meta'>): Promise<readonly LostRecord[]> {
  const row = await meta.get('lost');
  return row?.k === 'lost' ? row.devices : [];
}

/** Forgets a loss that the person has dismissed. */
export const forgetLost = (db: AccountDb, id: string): Promise<unknown> =>
  db.transaction('rw', db.meta, async () =>
    db.meta.put({ k: 'lost', devices: (await readLost(db)).filter((each) => each.id !== id) }),
  );

/**
 * Stores what the server answered. A loss that was dismissed while the server was asked is not brought back. Call it inside a transaction
 * over `meta`.
 * @param before what was known when the server was asked
 */
export async function storeLost(
  db: AccountDb,
  before: readonly LostRecord[],
  answered: readonly LostRecord[],
): Promise<void> {
  const kept = new Set((await readLost(db)).map(({ id }) => id));
  const dismissed = new Set(before.map(({ id }) => id).filter((id) => !kept.has(id)));
  const devices = answered.filter(({ id }) => !dismissed.has(id));
  if (devices.length > 0) await db.meta.put({ k: 'lost', devices });
  // An entry without devices is about a loss that this device noticed itself.
  else if (kept.size > 0) await db.meta.delete('lost');
}
