import type { AnyRow } from '#contract/section.ts';
import { findSetSection } from './canonical.ts';
import type { AccountDb } from './database.ts';
import type { MirrorRecord } from './rows.ts';

/** A set as one record: the values of its form, and the rows that they come from. */
export interface WholeSet {
  body: AnyRow;
  /** The version that all rows share; 0 when there are none, null when the server has no versions. */
  version: number | null;
}

/** Combines the rows of a set. @param type key of a set section; throws for any other */
export function wholeSet(type: string, rows: readonly AnyRow[]): WholeSet {
  const section = findSetSection(type);
  if (section === undefined) throw new Error(`${type} is no set`);
  const versions = rows.map((row) => row.version);
  const known = versions.filter((version) => typeof version === 'number');
  return {
    body: { ...section.set.valuesOf(rows), rows },
    version: rows.length === 0 ? 0 : known.length === rows.length ? Math.max(...known) : null,
  };
}

/** The rows of a profile's set in the mirror. @param profileId the server's id */
export async function setRows(db: AccountDb, type: string, profileId: string): Promise<MirrorRecord[]> {
  const records = await db.records.where('[parent+type]').equals([profileId, type]).toArray();
  return records.filter((record) => !record.gone);
}

/**
 * Replaces the mirrored rows of a set with the server's, unless the mirrored ones are newer. Call it inside a
 * transaction over `records`.
 */
export async function replaceSet(
  db: AccountDb,
  type: string,
  profileId: string,
  rows: readonly AnyRow[],
): Promise<WholeSet> {
  const said = wholeSet(type, rows);
  const kept = new Set(rows.map((row) => String(row.id)));
  const known = await db.records.where('[parent+type]').equals([profileId, type]).toArray();
  // An emptied set has no version to compare.
  const isOlder = rows.length > 0 && known.some(({ version }) => (version ?? 0) > (said.version ?? Infinity));
  if (isOlder) return said;
  for (const record of known) {
    if (!kept.has(record.id)) await db.records.delete([type, record.id]);
  }
  for (const body of rows) {
    const version = typeof body.version === 'number' ? body.version : null;
    await db.records.put({ type, id: String(body.id), parent: profileId, body, version });
  }
  return said;
}
