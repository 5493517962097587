import { useState } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { isPulled } from '#db/first-pull.ts';
import { ownProfiles, type MediaItem, mediaItems, sectionsItems } from '#db/queries.ts';
import { steady } from '#db/steady.ts';
import type { Item } from '#db/views.ts';
import { ownAddress } from '#lib/own-address.ts';
import { useLastingQuery } from '#shared/queries/use-lasting-query.ts';

/** What every section of an own profile holds, by section key. */
export type Sections = ReadonlyMap<string, Item[]>;

/** All that an own profile's page shows. */
export interface Board {
  hasProfiles: boolean;
  /** That there is no profile: the server has been heard to the end. Rows without theirs mean that more is coming. */
  isEmpty: boolean;
  /** The server has been heard, or there is something of the profile's own here: what is missing now is not there. */
  isHeard: boolean;
  /** The profile that the address names; null where it is none of the person's own. */
  shown: { item: Item; sections: Sections; media: MediaItem[] } | null;
}

/** @param address '/profile/{userSlug}/{typeSlug}', or null for Home */
async function profilesAt(db: AccountDb, address: string | null) {
  const profiles = await ownProfiles(db);
  const bodies = profiles.map(({ body }) => body as Partial<Profile>);
  const at = address === null ? 0 : bodies.findIndex((body) => ownAddress(body, bodies) === address);
  return { hasProfiles: profiles.length > 0, item: profiles[at] };
}

/** In one transaction: all of one moment, and each further one would cost a phone some milliseconds. */
const atOnce = <T>(db: AccountDb, read: () => Promise<T>): Promise<T> =>
  db.transaction('r', [db.records, db.outbox, db.ids, db.meta, db.cursors, db.media], read);

const readWords = (db: AccountDb, address: string | null) =>
  atOnce(db, async () => {
    const [{ hasProfiles, item }, isHeard] = await Promise.all([profilesAt(db, address), isPulled(db)]);
    if (item) {
      const sections = await sectionsItems(db, SECTIONS, item.id);
      const isOwnWork = item.state !== 'saved' || [...sections.values()].some((rows) => rows.length > 0);
      return { hasProfiles, isEmpty: false, isHeard: isHeard || isOwnWork, item, sections };
    }
    return { hasProfiles, isEmpty: !hasProfiles && isHeard, isHeard };
  });

const readMedia = (db: AccountDb, address: string | null) =>
  atOnce(db, async (): Promise<MediaItem[]> => {
    const { item } = await profilesAt(db, address);
    return item ? mediaItems(db, item.id) : [];
  });

const NONE: Sections = new Map();

/** Rows and lists that did not change stay the same ones from answer to answer. */
function useSteady(found: Sections): Sections {
  const [kept, setKept] = useState({ found: NONE, sections: NONE });
  if (kept.found === found) return kept.sections;
  const sections = steady(kept.sections, found);
  // Adjusted while rendering, not in an effect: what is painted must be the newest.
  setKept({ found, sections });
  return sections;
}

/**
 * The whole page in two live queries, so that it is drawn once. Media are one of their own: while one is on its way they
 * answer many times a second.
 */
export function useBoard(address: string | null): Board | undefined {
  const words = useLastingQuery('profile words', address, readWords);
  const media = useLastingQuery('profile media', address, readMedia);
  const sections = useSteady(words?.sections ?? NONE);
  if (!words || !media) return undefined;
  const { hasProfiles, isEmpty, isHeard, item } = words;
  return { hasProfiles, isEmpty, isHeard, shown: item ? { item, sections, media } : null };
}
