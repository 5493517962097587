import { useCallback, useEffect, useState } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import { keepNewMedia } from '#shared/offline-media/use-kept-media.ts';
import type { AccountDb } from '#db/database.ts';
import { addressOf, forgetVisited, keepVisited, visitedPage, withoutPrivate } from '#db/visited.ts';
import { type Page, type Reading, readPage } from './read-page.ts';

export interface PageState {
  page: Page | null;
  /** How the last look at the server ended; null before that. */
  reading: Reading | null;
  /** The store has been asked for a kept copy. */
  isSearched: boolean;
  retry: () => void;
}

/**
 * Somebody's page: the copy kept here at once, the server's when it comes. What the server gives is kept without what
 * is for few; a page that is gone there is forgotten here.
 * @param db the signed-in person's store, null for a visitor and where nothing may be kept
 * @param headers must be the same object from render to render
 */
export function usePage(
  userSlug: string,
  typeSlug: string,
  db: AccountDb | null,
  headers?: Record<string, string>,
): PageState {
  const [kept, setKept] = useState<Page | null>(null);
  const [isSearched, setIsSearched] = useState(db === null);
  const [reading, setReading] = useState<Reading | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const begin = async () => {
      const address = { userSlug, typeSlug };
      const copy = db && (await visitedPage(db, addressOf(userSlug, typeSlug)));
      if (!isCurrent) return;
      setKept(copy);
      setIsSearched(true);
      const found = await readPage(address, { kept: copy, ...(headers && { headers }) });
      if (isCurrent) setReading(found);
      // A page that was left before all of it came is kept too: it was opened, and may be wanted without signal.
      if (db === null) return;
      if (found.is === 'missing') await forgetVisited(db, addressOf(userSlug, typeSlug));
      if (found.is !== 'here') return;
      const slug = (found.page.profile as Profile).profile_type.slug;
      const shown = { ...found.page, openedAt: Date.now(), kept: false };
      await keepVisited(db, withoutPrivate(shown, sectionsOf(slug)));
      // What came to a page kept for good is kept with it.
      if (copy?.kept) await keepNewMedia(found.page.rows.media ?? []);
    };
    begin().catch((error: unknown) => {
      // Reading matter: a full device shows it all the same.
      console.warn('A page was not kept', error);
    });
    return () => {
      isCurrent = false;
    };
  }, [userSlug, typeSlug, db, headers, turn]);
  const retry = useCallback(() => {
    setReading(null);
    setTurn((before) => before + 1);
  }, []);
  const page = reading?.is === 'here' ? reading.page : kept;
  return { page, reading, isSearched, retry };
}
