import type { Privacy } from '#contract/records/account.ts';
import type { AccountDb } from './database.ts';

const KEY = 'person-sight';

/** What the server last said of the person: whether they are protected as somebody under 18, and what they show to visitors. */
export interface PersonSight {
  isMinor: boolean;
  privacy: Privacy;
}

/** Null until this device has heard it once. */
export async function readPersonSight(db: AccountDb): Promise<PersonSight | null> {
  const row = await db.meta.get(KEY);
  return row?.k === KEY ? { isMinor: row.isMinor, privacy: row.privacy } : null;
}

export async function writePersonSight(db: AccountDb, { isMinor, privacy }: PersonSight): Promise<void> {
  await db.meta.put({ k: KEY, isMinor, privacy });
}

/** Stores what the person has just chosen. Otherwise, a CV that is made next without signal would show what was chosen before. */
export async function updatePrivacy(db: AccountDb, privacy: Privacy): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const known = await readPersonSight(db);
    if (known !== null) await writePersonSight(db, { ...known, privacy });
  });
}
