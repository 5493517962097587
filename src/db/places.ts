import type { AccountDb } from './database.ts';
import { loadLookup } from './lookups.ts';

/** Number of queued changes to search, newest first. */
const RECENT = 500;
/** Name of the lookup with the cities of other people's profiles. */
export const LISTED_PLACES = 'places';

/**
 * Every city known on this device, repeated once per use: from own profiles and sections, queued changes, cached pages,
 * and the list of cities.
 */
export async function listKnownPlaces(db: AccountDb): Promise<string[]> {
  const bodies = [
    ...(await db.records.toArray()).map((record) => record.body),
    ...(await db.outbox.reverse().limit(RECENT).toArray()).map((row) => row.patch),
    ...(await db.visited.toArray()).map((page): Record<string, unknown> => page.profile),
  ];
  const own = bodies.flatMap(({ location }) => (typeof location === 'string' ? [location] : []));
  const listed = await loadLookup(db, LISTED_PLACES);
  return [...own, ...listed.map((entry) => entry.name)];
}
