'fetched soon after the start';

/**
 * A note in local storage of what waits in IndexedDB: the two are not evicted together, so a missing store beside a note
 * of three changes is lost work, and the app says so.
 */

/** How many changes of each kind: by section key, 'profile', 'media', 'chat' and so on. */
export type Kinds = Record<string, number>;

interface Note {
  /** Which store it counts: when that was made, milliseconds since the epoch. */
  born: number | null;
  kinds: Kinds;
}

const waitingKey = (userId: string) => `waiting:${userId}`;
const lostKey = (userId: string) => `lost:${userId}`;
/** One note for whoever was signed in, as older versions wrote it. */
const OLD_KEY = 'waiting';

function read(key: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const write = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value));
const kindsIn = (value: unknown): Kinds =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, n]) => typeof n === 'number' && n > 0)) as Kinds;

function forgetOld(userId: string): void {
  if (read(OLD_KEY)?.userId === userId) localStorage.removeItem(OLD_KEY);
}

export function readCanary(userId: string): Note | null {
  const note = read(waitingKey(userId));
  if (note) return { born: Number(note.born), kinds: kindsIn(note.kinds) };
  const old = read(OLD_KEY);
  return old?.userId === userId ? { born: null, kinds: kindsIn({ '': old.pending }) } : null;
}

export function writeCanary(userId: string, note: Note): void {
  write(waitingKey(userId), note);
  forgetOld(userId);
}

/** The store is found missing: what it held is lost, and stays noted until the person has been told. */
export function noteLoss(userId: string): void {
  const lost = readCanary(userId)?.kinds ?? {};
  const before = readLoss(userId);
  for (const [kind, n] of Object.entries(lost)) before[kind] = (before[kind] ?? 0) + n;
  if (Object.keys(before).length > 0) write(lostKey(userId), before);
  localStorage.removeItem(waitingKey(userId));
  forgetOld(userId);
}

/** Lost changes the person has not been told of; empty as a rule. */
export const readLoss = (userId: string): Kinds => kindsIn(read(lostKey(userId)));

export const forgetLoss = (userId: string): void => localStorage.removeItem(lostKey(userId));
