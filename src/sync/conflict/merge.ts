/** Equality of JSON values; absent and null are the same emptiness. */
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
  /** What is still ours to send. */
  patch: Record<string, unknown>;
  /** Fields both sides changed, to different values: the person decides. */
  conflicts: string[];
}

/**
 * Three-way merge, field by field, of our unsent patch with the row as another device left it.
 * A field whose value before the edit is unknown counts as changed by them, for asking beats overwriting; but nothing
 * of anybody's is overwritten where theirs is empty.
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

/** What an edit stands on, beside `theirs`: where that is what was given up here before, it stands on that. */
export function getMergeBase(
  { base, givenUp = [] }: { base: Record<string, unknown>; givenUp?: readonly Record<string, unknown>[] },
  theirs: Record<string, unknown>,
): Record<string, unknown> {
  const own = givenUp.flatMap(Object.entries).filter(([field, value]) => sameValue(value, theirs[field]));
  return { ...base, ...Object.fromEntries(own) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Entries put in and taken out by either side; nobody has to be asked about a list. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const kept = theirs.filter((entry) => mine.includes(entry) || !base.includes(entry));
  return [...kept, ...mine.filter((entry) => !theirs.includes(entry) && !base.includes(entry))];
}

/** The given fields of a record; a field it lacks is left out. */
export function pick(record: Record<string, unknown>, fields: Iterable<string>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fields) if (field in record) out[field] = record[field];
  return out;
}

/** What is left of a new record that turns into a change of one that is there: what it leaves empty stays as it is. */
export const filled = (patch: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value != null));
