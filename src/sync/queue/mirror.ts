import { getHomeType, serverId, findSetSection } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { setRows, wholeSet } from '#db/sets.ts';
import type { Values } from '../operations/operation.ts';

/**
 * Reads a change's record from the mirror, with the single-value sections that hold its fields. Returns the oldest
 * version of these copies, so that a write based on it cannot overwrite a value that this device has not seen.
 */
export async function readMirror(
  db: AccountDb,
  type: string,
  canonical: string,
  fields: Iterable<string> = [],
): Promise<{ body: Values; version: number | null } | null> {
  const id = await serverId(db, canonical);
  if (id === null) return null;
  if (findSetSection(type)) {
    const rows = await setRows(db, type, id);
    return wholeSet(
      type,
      rows.map((row) => row.body),
    );
  }
  const own = await db.records.get([type, id]);
  const homes = new Set([...fields].map((field) => getHomeType(type, field)));
  if (homes.size === 0 || (homes.size === 1 && homes.has(type))) {
    return own === undefined ? null : { body: own.body, version: own.version };
  }
  let body: Values | null = own?.body ?? null;
  const versions: number[] = [];
  for (const home of homes) {
    const record = home === type ? own : await db.records.get([home, id]);
    if (record === undefined) continue;
    body = { ...(body ?? {}), ...record.body };
    if (record.version !== null) versions.push(record.version);
  }
  if (body === null) return null;
  return { body, version: versions.length > 0 ? Math.min(...versions) : (own?.version ?? null) };
}
