const isObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** What tells the elements of a list apart: their key, or else their place. */
const getKey = (element: unknown, index: number): unknown => (isObject(element) ? element['key'] : null) ?? index;

function keepList(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] {
  const known = new Map(before.map((element, index) => [getKey(element, index), element]));
  const kept = now.map((element, index) => keepIdentity(known.get(getKey(element, index)), element));
  return kept.length === before.length && kept.every((element, index) => element === before[index]) ? before : kept;
}

function keepObject(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(now).map(([name, value]) => [name, keepIdentity(before[name], value)] as const);
  const isSame = kept.every(([name, value]) => name in before && value === before[name]);
  return isSame && kept.length === Object.keys(before).length ? before : Object.fromEntries(kept);
}

/**
 * Structural sharing: returns `now`, with the parts of `before` wherever they are equal. Each result of a live query
 * consists of new objects; with this, components can detect changes by identity alone. Goes into lists, maps and plain
 * objects. Pure.
 */
export function keepIdentity<T>(before: unknown, now: T): T {
  if (Array.isArray(now)) return Array.isArray(before) ? (keepList(before, now) as T) : now;
  if (now instanceof Map)
    return before instanceof Map
      ? (new Map([...now].map(([key, value]) => [key, keepIdentity(before.get(key), value)])) as T)
      : now;
  return isObject(now) && isObject(before) ? (keepObject(before, now) as T) : now;
}
