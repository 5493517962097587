import { readBlocked } from '#db/blocked-people.ts';
import type { AccountDb } from '#db/database.ts';
import { listSaved } from '#db/saved-and-connected.ts';

/** The saved profiles, without those of people whom the user has blocked. */
export async function listSavedProfiles(db: AccountDb) {
  const isBlocked = await readBlocked(db);
  return (await listSaved(db, 'saved_profile')).filter(({ card }) => !isBlocked(card.slug));
}

/** The saved media, without those of people whom the user has blocked. */
export async function listSavedMedia(db: AccountDb) {
  const isBlocked = await readBlocked(db);
  return (await listSaved(db, 'saved_media')).filter(({ card: { owner } }) => !isBlocked(owner.slug, owner.user_id));
}
