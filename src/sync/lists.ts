import { CALLS, pathOf } from '#contract/calls.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { homeOf, setOf } from '#db/canonical.ts';
import { wholeSet } from '#db/sets.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { Ports } from './ports.ts';
import { jsonRequest } from './requests.ts';

type Values = Record<string, unknown>;
export type Look = { rows: Record<string, unknown>[] } | { failed: WireAnswer };

/** Reads the records of one kind that a profile has, from the call any server of the contract has. */
export async function readList(
  db: AccountDb,
  { transport }: Pick<Ports, 'transport'>,
  type: string,
  profileId: string,
): Promise<Look> {
  const path = listPath(type, profileId);
  const answer = await transport.send(jsonRequest('GET', path), { userId: db.userId });
  if ('reason' in answer || answer.status !== 200 || answer.redirected) return { failed: answer };
  const rows = asRows(type, answer.body, profileId);
  return rows === null ? { failed: answer } : { rows };
}

export function listPath(type: string, profileId: string): string {
  if (type === 'profile') return pathOf(CALLS.profile, { id: profileId });
  if (type === 'media') return `${CALLS.photos.path}?profile_id=${encodeURIComponent(profileId)}`;
  const section = sectionOf(type);
  if (section === undefined) throw new Error(`No list for ${type}`);
  return pathOf(section.endpoints.list, { profileId });
}

/** A list's body as records with an id; null where it is not one. A one-value section answers an object without id. */
export function asRows(type: string, body: unknown, profileId: string): Record<string, unknown>[] | null {
  if (Array.isArray(body)) {
    return body.every((row) => typeof row === 'object' && row !== null && 'id' in row)
      ? (body as Record<string, unknown>[])
      : null;
  }
  if (typeof body !== 'object' || body === null) return null;
  const single = type === 'profile' || sectionOf(type)?.cardinality === 'one';
  return single ? [{ id: profileId, ...body }] : null;
}

/**
 * The row under an edit as the server has it now, with the fields of one-value sections; null when it is gone.
 * `given`: what a 412 already brought.
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
  if (setOf(row.type)) {
    const look =
      given && Array.isArray(given.rows)
        ? { rows: given.rows as Values[] }
        : await readList(db, ports, row.type, profileId);
    if ('failed' in look) return look;
    const { body, version } = wholeSet(row.type, look.rows);
    return { theirs: { ...body, version } };
  }
  const homes = new Set(Object.keys(row.patch).map((field) => homeOf(row.type, field)));
  if (theirs === null) homes.add(row.type);
  for (const home of homes) {
    const missing = Object.keys(row.patch).some(
      (field) => homeOf(row.type, field) === home && !(theirs && field in theirs),
    );
    if (theirs !== null && !missing) continue;
    const look = await readList(db, ports, home, profileId);
    if ('failed' in look) return look;
    const found = look.rows.find((each) => String(each.id) === serverIds.target);
    if (found === undefined) return { theirs: null };
    theirs = { ...found, ...theirs };
  }
  return { theirs };
}
