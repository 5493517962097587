import { limitContacts, NOTHING_SHOWN } from '#contract/audience.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { Section } from '#contract/section.ts';
import type { AccountDb } from './database.ts';
import type { CachedProfilePage } from './rows.ts';

/** Maximum number of cached pages. Beyond it, the one opened longest ago is deleted. */
const MOST = 200;

export const getAddress = (userSlug: string, typeSlug: string): string => `${userSlug}/${typeSlug}`;

/** The cached page, null when there is none. */
export async function readCachedPage(db: AccountDb, address: string): Promise<CachedProfilePage | null> {
  return (await db.visited.get(address)) ?? null;
}

/**
 * Removes what a page's owner shows only to some people, because the cache may outlive their permission. A page from
 * which something was removed has no tags, so that the next request gets it in full.
 */
export function withoutPrivate(page: CachedProfilePage, sections: readonly Section[]): CachedProfilePage {
  const rows = { ...page.rows };
  let isWhole = page.profile.per_day == null && page.profile.dob == null;
  for (const section of sections) {
    const all = rows[section.key];
    const open = all?.filter((row) => section.visibleTo(row) === 'everyone');
    if (!all || !open || open.length === all.length) continue;
    rows[section.key] = open;
    isWhole = false;
  }
  // Others see the number and the e-mail of these contacts only if the owner lets them, which the page does not tell.
  const isConnection = (page.profile as Partial<Profile>).connection?.status === 'accepted';
  if (isConnection && rows.contact && rows.contact.length > 0) {
    rows.contact = limitContacts(rows.contact, 'member', { ...NOTHING_SHOWN, contacts: true });
    isWhole = false;
  }
  const profile = { ...page.profile, per_day: null, dob: null };
  return { ...page, profile, rows, tags: isWhole ? page.tags : {} };
}

/** Caches an opened page and deletes those opened longest ago. A pinned page stays pinned. */
export async function saveCachedPage(db: AccountDb, page: Omit<CachedProfilePage, 'kept'>): Promise<void> {
  await db.transaction('rw', db.visited, async () => {
    const before = await db.visited.get(page.address);
    await db.visited.put({ ...page, kept: before?.kept ?? false });
    const spare = (await db.visited.count()) - MOST;
    if (spare <= 0) return;
    const oldest = await db.visited
      .orderBy('openedAt')
      .filter((each) => !each.kept)
      .limit(spare)
      .primaryKeys();
    await db.visited.bulkDelete(oldest);
  });
}

/** Pins or unpins a page. */
export async function setPinned(db: AccountDb, address: string, kept: boolean): Promise<void> {
  await db.visited.update(address, { kept });
}

/** Unpins all pages. They stay cached like any opened page. */
export async function clearPages(db: AccountDb): Promise<void> {
  await db.visited.filter((page) => page.kept).modify({ kept: false });
}

/** Deletes a page that no longer exists, or that the user may no longer see. */
export async function deleteCachedPage(db: AccountDb, address: string): Promise<void> {
  await db.transaction('rw', db.visited, db.seen, async () => {
    await db.visited.delete(address);
    await db.seen.delete(address);
  });
}
