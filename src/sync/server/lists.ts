import { ENGINE_READS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { MEDIA_LISTS } from '#contract/media-types.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { getHomeType, findSetSection } from '#db/canonical.ts';
import { bodyOf } from '#db/media-body.ts';
import { wholeSet } from '#db/sets.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { Ports } from '../ports.ts';
import { jsonRequest } from '../operations/build-request.ts';

type Values = Record<string, unknown>;
export type ListResult = { rows: Record<string, unknown>[] } | { failed: WireAnswer };

/** Reads a profile's records of one type, from the lists that every server has. */
export async function readList(
  db: AccountDb,
  { transport }: Pick<Ports, 'transport'>,
  type: string,
  profileId: string,
): Promise<ListResult> {
  const found: Values[] = [];
  for (const { path } of getLists(type, profileId)) {
    const answer = await transport.send(jsonRequest('GET', path), { userId: db.userId });
    if ('reason' in answer || answer.status !== 200 || answer.redirected) return { failed: answer };
    const rows = parseRows(type, answer.body, profileId);
    if (rows === null) return { failed: answer };
    found.push(...rows);
  }
  return { rows: found };
}

export interface List {
  type: string;
  path: string;
  /** Whether a record of the type belongs in this list; absent when one list holds them all. */
  holds?: (body: Values) => boolean;
}

/** The lists that contain a profile's records of one type. */
export function getLists(type: string, profileId: string): List[] {
  if (type === 'profile') return [{ type, path: pathOf(ENGINE_READS.profile, { id: profileId }) }];
  if (type === 'media') {
    return MEDIA_LISTS.map(({ list, types }) => ({
      type,
      path: `${list.path}?profile_id=${encodeURIComponent(profileId)}`,
      holds: ({ media_type }) => types.includes(String(media_type)),
    }));
  }
  const section = sectionOf(type);
  if (section === undefined) throw new Error(`No list for ${type}`);
  return [{ type, path: pathOf(section.endpoints.list, { profileId }) }];
}

/**
 * Parses a list's body into records with an id; null when it is no list. A single-value section is one object without
 * id.
 */
export function parseRows(type: string, body: unknown, profileId: string): Record<string, unknown>[] | null {
  if (Array.isArray(body)) {
    return body.every((row) => typeof row === 'object' && row !== null && 'id' in row)
      ? (body as Values[]).map((row) => bodyOf(type, row))
      : null;
  }
  if (typeof body !== 'object' || body === null) return null;
  const single = type === 'profile' || sectionOf(type)?.cardinality === 'one';
  return single ? [{ id: profileId, ...body }] : null;
}

/**
 * Fetches the server's current copy of an edited record, with the fields of single-value sections; null when it is
 * gone.
 * @param given the record that a 412 response contained, if any
 */
export async function fetchTheirs(
  db: AccountDb,
  ports: Pick<Ports, 'transport'>,
  row: OutboxRow,
  serverIds: { target: string; parent: string | null },
  given: Record<string, unknown> | null,
): Promise<{ theirs: Record<string, unknown> | null } | { failed: WireAnswer }> {
  let theirs = given;
  const profileId = row.type === 'profile' ? serverIds.target : serverIds.parent;
  if (profileId === null) return { theirs };
  if (findSetSection(row.type)) {
    const list =
      given && Array.isArray(given.rows)
        ? { rows: given.rows as Values[] }
        : await readList(db, ports, row.type, profileId);
    if ('failed' in list) return list;
    const { body, version } = wholeSet(row.type, list.rows);
    return { theirs: { ...body, version } };
  }
  const homes = new Set(Object.keys(row.patch).map((field) => getHomeType(row.type, field)));
  if (theirs === null) homes.add(row.type);
  for (const home of homes) {
    const missing = Object.keys(row.patch).some(
      (field) => getHomeType(row.type, field) === home && !(theirs && field in theirs),
    );
    if (theirs !== null && !missing) continue;
    const list = await readList(db, ports, home, profileId);
    if ('failed' in list) return list;
    const found = list.rows.find((each) => String(each.id) === serverIds.target);
    if (found === undefined) return { theirs: null };
    theirs = { ...found, ...theirs };
  }
  return { theirs };
}
