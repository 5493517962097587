import { useCallback, useEffect, useState } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import { pinNewPageMedia } from '#shared/offline-media/use-offline-media.ts';
import type { AccountDb } from '#db/database.ts';
import { getAddress, deleteCachedPage, saveCachedPage, readCachedPage, withoutPrivate } from '#db/cached-pages.ts';
import { type Page, type PageResult, readPage } from './read-page.ts';

export interface PageState {
  page: Page | null;
  /** The outcome of the last fetch; null until it ends. */
  result: PageResult | null;
  /** The store has been searched for a cached copy. */
  isCacheRead: boolean;
  retry: () => void;
}

/**
 * Reads a profile page: first the cached copy, then the server's. Caches the server's copy without private fields, and
 * deletes the cached copy of a page that no longer exists.
 * @param db the signed-in person's store; null disables the cache, for visitors and previews
 * @param headers must have a stable identity
 */
export function useProfilePage(
  userSlug: string,
  typeSlug: string,
  db: AccountDb | null,
  headers?: Record<string, string>,
): PageState {
  const [cached, setCached] = useState<Page | null>(null);
  const [isCacheRead, setIsCacheRead] = useState(db === null);
  const [result, setResult] = useState<PageResult | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const address = { userSlug, typeSlug };
      const copy = db && (await readCachedPage(db, getAddress(userSlug, typeSlug)));
      if (!isCurrent) return;
      setCached(copy);
      setIsCacheRead(true);
      const found = await readPage(address, { cached: copy, ...(headers && { headers }) });
      if (isCurrent) setResult(found);
      // A page that the person left before the answer came is cached too: they opened it and may want it offline.
      if (db === null) return;
      if (found.status === 'missing') await deleteCachedPage(db, getAddress(userSlug, typeSlug));
      if (found.status !== 'loaded') return;
      const slug = (found.page.profile as Profile).profile_type.slug;
      const visited = { ...found.page, openedAt: Date.now(), kept: false };
      await saveCachedPage(db, withoutPrivate(visited, sectionsOf(slug)));
      // New media of a pinned page are pinned too.
      if (copy?.kept) await pinNewPageMedia(found.page.rows.media ?? []);
    };
    load().catch((error: unknown) => {
      // The page is shown all the same, for example when the device is full.
      console.warn('The profile page could not be cached', error);
    });
    return () => {
      isCurrent = false;
    };
  }, [userSlug, typeSlug, db, headers, attempt]);
  const retry = useCallback(() => {
    setResult(null);
    setAttempt((previous) => previous + 1);
  }, []);
  const page = result?.status === 'loaded' ? result.page : cached;
  return { page, result, isCacheRead, retry };
}
