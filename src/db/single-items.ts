import type { Section } from '#contract/section.ts';
import { canonicalId } from './canonical.ts';
import type { AccountDb } from './database.ts';
import { ownProfiles, sectionsItems } from './queries.ts';
import type { Item } from './views.ts';

/** Queries for one profile or section, used by forms. Separate from the queries that the first screen waits for. */

/** Chooses the own profile that Home shows on this device. @param profileId canonical id */
export async function chooseHome(db: AccountDb, profileId: string): Promise<void> {
  await db.meta.put({ k: 'home', profile: profileId });
}

/** One own profile by local or server id. */
export async function profileItem(db: AccountDb, id: string): Promise<Item | undefined> {
  const owner = await canonicalId(db, 'profile', id);
  return (await ownProfiles(db)).find((item) => item.id === owner);
}

/** The items of one section, as in `sectionsItems`. */
export async function sectionItems(db: AccountDb, section: Section, profileId: string): Promise<Item[]> {
  return (await sectionsItems(db, [section], profileId)).get(section.key) ?? [];
}
