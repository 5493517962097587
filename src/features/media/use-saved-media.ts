import type { MediaCard } from '#contract/records/media.ts';
import type { Profile } from '#contract/records/profile.ts';
import { type Pending, readAllSaved } from '#db/saved-and-connected.ts';
import type { MediaItem } from '#db/queries.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** The fields of a medium that lists of saved media store and show. */
export function toMediaCard(item: MediaItem, profile: Profile): MediaCard {
  const { user_id, stage_name: name, slug, profile_type } = profile as Profile & { slug: string | null };
  const owner = { user_id: String(user_id), name, slug, profile_type: profile_type.slug };
  return { ...(item.body as MediaCard), id: item.serverId ?? item.id, owner };
}

/** Returns whether the user has saved an item; null if it is not on the server yet and so cannot be saved. */
export function useSavedMedia(): (item: MediaItem) => Pending<boolean> | null {
  const getSaved = useQuery((db) => readAllSaved(db, 'saved_media'), []);
  return (item) => {
    if (item.serverId === null || !getSaved) return null;
    return getSaved(item.serverId, item.body.is_saved === 1);
  };
}
