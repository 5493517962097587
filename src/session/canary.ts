/**
 * A note in local storage of how much waits in IndexedDB: the two are not evicted together, so a missing store beside
 * a note that says 3 is lost work, and the app says so.
 */
interface Canary {
  userId: string;
  pending: number;
}

const KEY = 'waiting';

export function readCanary(): Canary | null {
  try {
    const canary = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Canary> | null;
    return typeof canary?.userId === 'string' && typeof canary.pending === 'number' ? (canary as Canary) : null;
  } catch {
    return null;
  }
}

export function writeCanary(canary: Canary): void {
  localStorage.setItem(KEY, JSON.stringify(canary));
}

export function clearCanary(): void {
  localStorage.removeItem(KEY);
}
