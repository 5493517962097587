import type { MediaCard } from '#contract/records/media.ts';
import type { Profile } from '#contract/records/profile.ts';
import { type Pending, readAllSaved } from '#db/saved-and-connected.ts';
import type { MediaItem } from '#db/queries.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** What a list of saved media keeps of an item of this profile. */
export function toMediaCard(item: MediaItem, profile: Profile): MediaCard {
  const { user_id, stage_name: name, slug, profile_type } = profile as Profile & { slug: string | null };
  const owner = { user_id: String(user_id), name, slug, profile_type: profile_type.slug };
  return { ...(item.body as MediaCard), id: item.serverId ?? item.id, owner };
}

/** Whether the signed-in person saved an item; what the server does not have yet cannot be. */
export function useSavedMedia(): (item: MediaItem) => Pending<boolean> | null {
  const getSaved = useQuery((db) => readAllSaved(db, 'saved_media'), []);
  return (item) => {
    if (item.serverId === null || !getSaved) return null;
    return getSaved(item.serverId, item.body.is_saved === 1);
  };
}
