import { useState } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { isPulled } from '#db/first-pull.ts';
import { ownProfiles, type MediaItem, mediaItems, sectionsItems } from '#db/queries.ts';
import { keepIdentity } from '#db/keep-identity.ts';
import type { Item } from '#db/views.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { useCachedQuery } from '#shared/queries/use-cached-query.ts';

/** The items of every section of the person's own profile, by section key. */
export type Sections = ReadonlyMap<string, Item[]>;

/** Everything that the page of the person's own profile shows. */
export interface OwnProfileData {
  hasProfiles: boolean;
  /** The first pull is complete and the person has no profile. */
  isEmpty: boolean;
  /** The first pull is complete, or the device holds content of this profile: empty sections are really empty. */
  isLoaded: boolean;
  /** The profile that the address names; null if it is not one of the person's own. */
  profile: { item: Item; sections: Sections; media: MediaItem[] } | null;
}

/** @param address '/profile/{userSlug}/{typeSlug}', or null for Home */
async function findProfile(db: AccountDb, address: string | null) {
  const profiles = await ownProfiles(db);
  const bodies = profiles.map(({ body }) => body as Partial<Profile>);
  const index = address === null ? 0 : bodies.findIndex((body) => getOwnProfilePath(body, bodies) === address);
  return { hasProfiles: profiles.length > 0, item: profiles[index] };
}

/** Runs all reads in one transaction: they see one snapshot, and each further transaction costs a phone some milliseconds. */
const readInTransaction = <T>(db: AccountDb, read: () => Promise<T>): Promise<T> =>
  db.transaction('r', [db.records, db.outbox, db.ids, db.meta, db.cursors, db.media], read);

const readProfileAndSections = (db: AccountDb, address: string | null) =>
  readInTransaction(db, async () => {
    const [{ hasProfiles, item }, isFirstPullDone] = await Promise.all([findProfile(db, address), isPulled(db)]);
    if (item) {
      const sections = await sectionsItems(db, SECTIONS, item.id);
      const hasContent = item.state !== 'saved' || [...sections.values()].some((rows) => rows.length > 0);
      return { hasProfiles, isEmpty: false, isLoaded: isFirstPullDone || hasContent, item, sections };
    }
    return { hasProfiles, isEmpty: !hasProfiles && isFirstPullDone, isLoaded: isFirstPullDone };
  });

const readMedia = (db: AccountDb, address: string | null) =>
  readInTransaction(db, async (): Promise<MediaItem[]> => {
    const { item } = await findProfile(db, address);
    return item ? mediaItems(db, item.id) : [];
  });

const NO_SECTIONS: Sections = new Map();

/** Structural sharing: rows and lists that did not change keep their identity from one result to the next. */
function useStableSections(latest: Sections): Sections {
  const [previous, setPrevious] = useState({ latest: NO_SECTIONS, sections: NO_SECTIONS });
  if (previous.latest === latest) return previous.sections;
  const sections = keepIdentity(previous.sections, latest);
  // Set while rendering, not in an effect, so that the next paint shows the newest rows.
  setPrevious({ latest, sections });
  return sections;
}

/**
 * Reads the whole page with two live queries, so that it renders once. Media have their own query because it emits many
 * times a second during an upload.
 * @param address '/profile/{userSlug}/{typeSlug}', or null for Home
 * @returns undefined until both queries have answered
 */
export function useOwnProfile(address: string | null): OwnProfileData | undefined {
  const data = useCachedQuery('profile and sections', address, readProfileAndSections);
  const media = useCachedQuery('profile media', address, readMedia);
  const sections = useStableSections(data?.sections ?? NO_SECTIONS);
  if (!data || !media) return undefined;
  const { hasProfiles, isEmpty, isLoaded, item } = data;
  return { hasProfiles, isEmpty, isLoaded, profile: item ? { item, sections, media } : null };
}
