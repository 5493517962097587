import type { AccountDb } from './database.ts';
import { listRecords } from './mirror.ts';
import { type DisconnectPatch, isBlock } from './patches.ts';
import { CONNECTION } from './saved-and-connected.ts';

/** The blocks that are queued. */
export async function listQueuedBlocks(db: AccountDb): Promise<DisconnectPatch[]> {
  const rows = await db.outbox.where('lane').startsWith('person:').toArray();
  return rows.filter(isBlock).map(({ patch }) => patch);
}

/**
 * Returns a function that tells whether the user has blocked a person, while the block is queued. The mirror still has what
 * they shared and saved until the server has received it.
 */
export async function readBlocked(db: AccountDb): Promise<(slug: string | null, userId?: string) => boolean> {
  const ids = new Set<string>();
  // The card of a saved profile has no user id, but everybody has one slug for all of their pages.
  const slugs = new Set<string>();
  for (const { userId, slug } of await listQueuedBlocks(db)) {
    ids.add(userId);
    if (slug !== undefined) slugs.add(slug);
  }
  if (ids.size > 0) {
    for (const { body } of await listRecords(db, CONNECTION)) {
      const isTheirs = ids.has(String(body.user_id)) || ids.has(String(body.connected_user_id));
      if (isTheirs && body.slug !== null) slugs.add(body.slug);
    }
  }
  return (slug, userId) => (slug !== null && slugs.has(slug)) || (userId !== undefined && ids.has(userId));
}
