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
 * Lists by section: those of `before` wherever they still say the same, item by item and list by list. Each answer of a
 * live query is made afresh; what draws it can then tell by identity alone what has changed. Pure.
 */
export function keepIdentity(
  before: ReadonlyMap<string, Item[]>,
  now: ReadonlyMap<string, Item[]>,
): ReadonlyMap<string, Item[]> {
  return new Map([...now].map(([key, items]) => [key, steadyList(before.get(key) ?? [], items)]));
}
