/** How long a key is remembered. Another node may take a use back, of which this one hears nothing. */
const MEMORY_MS = 10_000;
/** Beyond this, those that are no longer remembered are removed. */
const MANY = 10_000;

/**
 * Remembers for moments which limits are used up, so that a flood of refused requests does not reach the database.
 * Times are those of `performance.now()`.
 */
export class UsedUpKeys {
  readonly #keys = new Map<string, { until: number; windowEnd: number }>();

  /** @param leftMs until the window ends */
  add(key: string, leftMs: number): void {
    const now = performance.now();
    if (this.#keys.size >= MANY) this.#removeOld(now);
    this.#keys.set(key, { until: now + Math.min(leftMs, MEMORY_MS), windowEnd: now + leftMs });
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  /** How long until the window of a key ends that is remembered; 0 for others. */
  getLeftMs(key: string): number {
    const found = this.#keys.get(key);
    const now = performance.now();
    return found === undefined || found.until <= now ? 0 : found.windowEnd - now;
  }

  #removeOld(now: number): void {
    for (const [key, { until }] of this.#keys) if (until <= now) this.#keys.delete(key);
  }
}
