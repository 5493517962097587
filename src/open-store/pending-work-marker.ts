'fetched soon after the start';

/**
 * A marker in local storage that counts the unsent changes in IndexedDB. Browsers do not evict the two together: a marker
 * of three changes beside a missing store means that work was lost, and the app says so.
 */

/** Number of unsent changes by kind: section key, 'profile', 'media', 'chat' and so on. */
export type PendingCounts = Record<string, number>;

interface PendingWorkMarker {
  /** Identifies the counted store by its creation time, milliseconds since the epoch. */
  born: number | null;
  kinds: PendingCounts;
}

const markerKey = (userId: string) => `waiting:${userId}`;
const lossKey = (userId: string) => `lost:${userId}`;
/** Older versions wrote one marker, for whoever was signed in. */
const LEGACY_KEY = 'waiting';

function read(key: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const write = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value));
const toCounts = (value: unknown): PendingCounts =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, n]) => typeof n === 'number' && n > 0)) as PendingCounts;

function removeLegacyMarker(userId: string): void {
  if (read(LEGACY_KEY)?.userId === userId) localStorage.removeItem(LEGACY_KEY);
}

/** Returns the marker of a user, or null if there is none. A marker of an older version has no creation time. */
export function readPendingWork(userId: string): PendingWorkMarker | null {
  const marker = read(markerKey(userId));
  if (marker) return { born: Number(marker.born), kinds: toCounts(marker.kinds) };
  const legacy = read(LEGACY_KEY);
  return legacy?.userId === userId ? { born: null, kinds: toCounts({ '': legacy.pending }) } : null;
}

export function writePendingWork(userId: string, marker: PendingWorkMarker): void {
  write(markerKey(userId), marker);
  removeLegacyMarker(userId);
}

/**
 * Records that the store is missing: the marked changes count as lost until `clearLoss` is called.
 * @returns whether nothing says that the store was deleted on purpose, and whether there are lost changes to tell about
 */
export function recordLoss(userId: string): { isUnexpected: boolean; hasLost: boolean } {
  const marker = readPendingWork(userId);
  const lost = marker?.kinds ?? {};
  const total = readLoss(userId);
  for (const [kind, n] of Object.entries(lost)) total[kind] = (total[kind] ?? 0) + n;
  const hasLost = Object.keys(total).length > 0;
  if (hasLost) write(lossKey(userId), total);
  localStorage.removeItem(markerKey(userId));
  removeLegacyMarker(userId);
  return { isUnexpected: marker === null || Object.keys(lost).length > 0, hasLost };
}

/** Returns the lost changes that the person has not acknowledged yet; usually empty. */
export const readLoss = (userId: string): PendingCounts => toCounts(read(lossKey(userId)));

/** Forgets the lost changes once the person has been told. */
export const clearLoss = (userId: string): void => localStorage.removeItem(lossKey(userId));
