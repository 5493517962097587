/** Deep equality of JSON values. Undefined and null are equal. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a == null || b == null) return a == null && b == null;
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) if (!sameValue(left[key], right[key])) return false;
  return true;
}

export interface Merged {
  /** Fields that still have to be sent. */
  patch: Record<string, unknown>;
  /** Fields that both sides changed to different values. The user decides. */
  conflicts: string[];
}

/**
 * Three-way merge, field by field, of our unsent patch with the row as another device left it. A field with an unknown
 * base counts as changed by them, because asking is better than overwriting. If theirs is empty, nothing can be lost
 * and the field does not conflict.
 */
export function merge3(
  base: Record<string, unknown>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): Merged {
  const patch: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const [field, value] of Object.entries(mine)) {
    if (sameValue(value, theirs[field])) continue;
    if (Array.isArray(value)) {
      const both = mergeLists(listOf(base[field]), value, listOf(theirs[field]));
      if (!sameValue(both, theirs[field])) patch[field] = both;
      continue;
    }
    patch[field] = value;
    const untouched = sameValue(field in base ? base[field] : null, theirs[field]);
    if (!untouched) conflicts.push(field);
  }
  return { patch, conflicts };
}

/** The base for a merge with `theirs`. A field where theirs is our own discarded value takes that value as its base. */
export function getMergeBase(
  { base, givenUp = [] }: { base: Record<string, unknown>; givenUp?: readonly Record<string, unknown>[] },
  theirs: Record<string, unknown>,
): Record<string, unknown> {
  const own = givenUp.flatMap(Object.entries).filter(([field, value]) => sameValue(value, theirs[field]));
  return { ...base, ...Object.fromEntries(own) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Applies both sides' added and removed entries, so that lists never conflict. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const kept = theirs.filter((entry) => mine.includes(entry) || !base.includes(entry));
  return [...kept, ...mine.filter((entry) => !theirs.includes(entry) && !base.includes(entry))];
}

/** The given fields of a record, without the ones it lacks. */
export function pick(record: Record<string, unknown>, fields: Iterable<string>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fields) if (field in record) out[field] = record[field];
  return out;
}

/**
 * The non-empty fields of a new record that becomes an update of an existing one, whose other fields stay as they are.
 */
export const filled = (patch: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value != null));
