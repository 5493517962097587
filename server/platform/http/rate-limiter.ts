import type { Clock } from '#server/platform/clock.ts';
import { tooManyRequests } from './errors.ts';
import type { Limit } from './limits.ts';

/** Time after which windows that have ended are looked for. */
const SWEEP_INTERVAL_MS = 60_000;

interface Window {
  startedAt: number;
  /** Uses in this window and in the previous one. */
  used: number;
  previousUsed: number;
  windowMs: number;
}

/**
 * Sliding-window rate limiter: the previous window counts in proportion to its overlap with the sliding window. Counts are in
 * memory, so each node has its own. For limits that are checked with every request; `SharedLimiter` counts the others.
 */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #scale: number;
  readonly #onRefused: (limit: string) => void;
  #sweptAt = 0;

  /** @param scale multiplies every count; 0 switches limits off */
  constructor(clock: Clock, scale: number, onRefused: (limit: string) => void) {
    this.#clock = clock;
    this.#scale = scale;
    this.#onRefused = onRefused;
  }

  /** @throws 429 with Retry-After when `subject` has used up the limit */
  take(limit: Limit<'node'>, subject: string): void {
    if (this.#scale === 0) return;
    const now = this.#clock.now().getTime();
    this.#sweep(now);
    const key = `${limit.name} ${subject}`;
    const window = this.#roll(key, limit, now);
    const share = 1 - (now - window.startedAt) / limit.windowMs;
    if (window.used + window.previousUsed * share + 1 > limit.count * this.#scale) {
      this.#onRefused(limit.name);
      throw tooManyRequests((limit.windowMs - (now - window.startedAt)) / 1000);
    }
    window.used += 1;
  }

  #roll(key: string, limit: Limit, now: number): Window {
    const found = this.#windows.get(key);
    const age = found === undefined ? Infinity : now - found.startedAt;
    if (found !== undefined && age >= 0 && age < limit.windowMs) return found;
    const isNextWindow = found !== undefined && age >= 0 && age < 2 * limit.windowMs;
    const fresh = {
      startedAt: isNextWindow ? found.startedAt + limit.windowMs : now,
      used: 0,
      previousUsed: isNextWindow ? found.used : 0,
      windowMs: limit.windowMs,
    };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    for (const [key, window] of this.#windows) {
      if (Math.abs(now - window.startedAt) > 2 * window.windowMs) this.#windows.delete(key);
    }
  }
}

/**
 * The network that an address belongs to, as limits count it: an IPv6 /64 prefix, or the whole IPv4 address.
 * @param ip undefined once the client has disconnected
 */
export function toNetwork(ip: string | undefined): string {
  if (ip === undefined || ip === '') return 'unknown';
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '');
  const [head = '', tail = ''] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const full = ip.includes('::')
    ? [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest]
    : groups;
  return full.slice(0, 4).join(':');
}
