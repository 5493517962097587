import type { Item } from './views.ts';

const isSame = (a: Item, b: Item) => JSON.stringify(a) === JSON.stringify(b);

function steadyList(before: Item[], now: Item[]): Item[] {
  const known = new Map(before.map((item) => [item.key, item]));
  const kept = now.map((item) => {
    const old = known.get(item.key);
    return old && isSame(old, item) ? old : item;
  });
  return kept.length === before.length && kept.every((item, at) => item === before[at]) ? before : kept;
}

/**
 * Structural sharing for lists by section: returns the items and lists of `before` wherever they are equal. Each result
 * of a live query consists of new objects; with this, components can detect changes by identity alone. Pure.
 */
export function keepIdentity(
  before: ReadonlyMap<string, Item[]>,
  now: ReadonlyMap<string, Item[]>,
): ReadonlyMap<string, Item[]> {
  return new Map([...now].map(([key, items]) => [key, steadyList(before.get(key) ?? [], items)]));
}
