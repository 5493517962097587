import { isLocal, serverId, findSetSection } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import type { OutboxRow } from '#db/rows.ts';
import { pick, sameValue } from '../conflict/merge.ts';
import { NO_VERSION, type Values } from '../operations/operation.ts';
import { readGivenUp } from './given-up.ts';
import { readMirror } from './mirror.ts';

/** What an edit is based on. A merge compares these values with those of the server. */
export interface Basis {
  /** The record as this device has it. */
  under: { body: Values; version: number | null } | null;
  /** The edited fields as its author saw them. */
  base: Values;
  /** The version that the author saw; null if this device has none. */
  baseVersion: number | null;
  /** Values of the edited fields that were given up here and may be on the server. The author has seen those, too. */
  givenUp: Values[];
}

/** What somebody has seen in a field whose screen shows `value`, as far as a waiting change tells it. */
function getValuesSeenWith({ base, patch, shown }: OutboxRow, field: string, value: unknown): unknown[] {
  // Whoever sees the value of a change from a sealed file has seen what it covered, unless the form was open before.
  const covered = shown !== undefined && sameValue(value, patch[field]) ? [shown[field]] : [];
  return [base[field], patch[field], ...covered];
}

/**
 * Reads what an edit is based on.
 * @param record `rows`: the changes of this record that wait here
 * @param changed the edited fields
 * @param seen the values that the author saw. A form may have been open, or its draft kept, since before a pull brought
 * others.
 */
export async function readBasis(
  db: AccountDb,
  { type, target, rows }: { type: string; target: string; rows: readonly OutboxRow[] },
  changed: Values,
  seen: Values = {},
): Promise<Basis> {
  const fields = Object.keys(changed);
  const under = await readMirror(db, type, target, fields);
  const known = under?.body ?? {};
  const givenUp = await readGivenUp(db, { type, target, version: under?.version ?? null }, fields);
  const isUnseen = (field: string) => {
    if (!(field in known) || !(field in seen) || sameValue(seen[field], known[field])) return false;
    // Where a change waits, the screen shows its value, also after a pull has brought another one behind it.
    const waiting = rows.filter(({ patch }) => field in patch);
    return !waiting.some((row) =>
      getValuesSeenWith(row, field, seen[field]).some((value) => sameValue(value, known[field])),
    );
  };
  const unseen = fields.filter(isUnseen);
  if (unseen.length > 0) {
    return { under, base: { ...pick(known, fields), ...pick(seen, unseen) }, baseVersion: NO_VERSION, givenUp };
  }
  // This device knows a record from a sealed file by what the changes before this one say of it.
  const [head] = rows;
  const isUnread = under === null && head?.sealedAt !== undefined && getEffect(head) === 'update';
  // The set of a profile that is made here is empty. Another device may fill it as soon as the server has the profile.
  const isNew = findSetSection(type) !== undefined && isLocal(target) && (await serverId(db, target)) === null;
  return {
    under,
    base: pick(isUnread ? head.base : known, fields),
    baseVersion: under?.version ?? (isUnread || isNew ? NO_VERSION : null),
    givenUp,
  };
}
