import type { Section } from '#contract/section.ts';
import type { AccountDb } from './database.ts';
import type { CachedProfilePage } from './rows.ts';

/** Pages kept because they were opened once; beyond this the one that was opened longest ago goes. */
const MOST = 200;

export const getAddress = (userSlug: string, typeSlug: string): string => `${userSlug}/${typeSlug}`;

/** The page kept here, null where there is none. */
export async function readCachedPage(db: AccountDb, address: string): Promise<CachedProfilePage | null> {
  return (await db.visited.get(address)) ?? null;
}

/**
 * A page without what its owner shows to some people only: it may lie on this device longer than they would allow.
 * A page that something was taken out of has no tags, so that it is asked for in full the next time.
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
  const profile = { ...page.profile, per_day: null, dob: null };
  return { ...page, profile, rows, tags: isWhole ? page.tags : {} };
}

/** Keeps a page that was opened, and lets go of those opened longest ago. One kept on purpose stays so. */
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

/** The person wants this page at hand for good, or no longer. */
export async function setPinned(db: AccountDb, address: string, kept: boolean): Promise<void> {
  await db.visited.update(address, { kept });
}

/** No page is wanted for good any more; they stay for a while, as every page that was opened. */
export async function clearPages(db: AccountDb): Promise<void> {
  await db.visited.filter((page) => page.kept).modify({ kept: false });
}

/** There is nothing under that address any more, or nothing for this person. */
export async function deleteCachedPage(db: AccountDb, address: string): Promise<void> {
  await db.transaction('rw', db.visited, db.seen, async () => {
    await db.visited.delete(address);
    await db.seen.delete(address);
  });
}
