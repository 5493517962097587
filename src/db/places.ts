import type { AccountDb } from './database.ts';
import { loadLookup } from './lookups.ts';

/** Of the waiting changes, the newest are looked at. */
const RECENT = 500;
/** Under this name lie the cities of other people's profiles, as last listed. */
export const LISTED_PLACES = 'places';

/**
 * Every city this device knows of, once per use: own profiles and sections, unsent ones too, pages opened here, and
 * listed profiles.
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
