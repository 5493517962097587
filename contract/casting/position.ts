/**
 * Places in an order that is kept by two devices at once. A place is a fraction between 0 and 1, written as the digits after the point in base 62, so
 * there is always room between two places, and moving one card changes no other. Places compare as plain strings.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
const LAST = DIGITS[BASE - 1]!;

/** Longer places are refused. A column is numbered anew before it needs one. */
export const POSITION_CHARS = 120;

/** Whether a text is a place. One never ends in 0, or there would be no room before it. */
export const isPosition = (text: string): boolean =>
  text.length <= POSITION_CHARS && /^[0-9A-Za-z]*[1-9A-Za-z]$/.test(text);

const digitAt = (text: string, at: number): number => DIGITS.indexOf(text.charAt(at));

/** The next place after one. Cards that are added at the end one by one need a further digit after every sixty only. */
function stepAfter(before: string): string {
  const at = [...before].findIndex((digit) => digit !== LAST);
  return at === -1 ? `${before}1` : before.slice(0, at) + DIGITS[digitAt(before, at) + 1]!;
}

/** The next place before one. */
function stepBefore(after: string): string {
  const at = [...after].findIndex((digit) => digit !== DIGITS[0]);
  const digit = digitAt(after, at);
  // The digit 0 ends no place.
  return after.slice(0, at) + (digit === 1 ? `0${LAST}` : DIGITS[digit - 1]!);
}

/** A place between two others of which the first is lower. */
function halfway(before: string, after: string): string {
  let shared = 0;
  while (shared < after.length && (before[shared] ?? DIGITS[0]) === after[shared]) shared += 1;
  const [low, high] = [Math.max(0, digitAt(before, shared)), digitAt(after, shared)];
  const start = after.slice(0, shared);
  if (high - low > 1) return start + DIGITS[Math.floor((low + high) / 2)]!;
  // The digits are neighbors: the place begins with the lower one and lies above the rest of `before`.
  const rest = before.slice(shared + 1);
  return start + DIGITS[low]! + (rest === '' ? DIGITS[BASE / 2 - 1]! : stepAfter(rest));
}

/**
 * A place between two others.
 * @param before the place in front, null at the beginning; it is lower than `after`
 * @param after the place behind, null at the end
 */
export function positionBetween(before: string | null, after: string | null): string {
  if (before !== null && after !== null) return halfway(before, after);
  if (after !== null) return stepBefore(after);
  return before === null ? DIGITS[BASE / 2 - 1]! : stepAfter(before);
}

interface Placed {
  id: string;
  position: string;
}

/** The order of cards. Two devices may have chosen the same place; then the id decides, everywhere alike. */
export const comparePlaced = (a: Placed, b: Placed): number =>
  a.position === b.position ? (a.id < b.id ? -1 : 1) : a.position < b.position ? -1 : 1;

/** Places for so many cards, one after the other. */
function listPositions(count: number, before: string | null, after: string | null): string[] {
  const places: string[] = [];
  for (let n = 0; n < count; n += 1) places.push(positionBetween(places.at(-1) ?? before, after));
  return places;
}

/**
 * Plans how a card comes to stand at an index of a column: usually by a new place of its own. Cards that share their place with the one in front are
 * moved along, and a column that has no room left, or holds something that is no place, is numbered anew.
 * @param others the other cards of the column, in order
 * @returns the new places, in order
 */
export function planPlace(others: readonly Placed[], id: string, index: number): Placed[] {
  const front = others[index - 1]?.position ?? null;
  let end = index;
  while (front !== null && others[end]?.position === front) end += 1;
  const moved = [id, ...others.slice(index, end).map((card) => card.id)];
  const isOrdered = others.every(({ position }) => isPosition(position));
  const places = isOrdered ? listPositions(moved.length, front, others[end]?.position ?? null) : [];
  if (isOrdered && places.every(isPosition)) return moved.map((each, n) => ({ id: each, position: places[n]! }));
  const all = others.map((card) => card.id).toSpliced(index, 0, id);
  const anew = listPositions(all.length, null, null);
  return all.map((each, n) => ({ id: each, position: anew[n]! }));
}
