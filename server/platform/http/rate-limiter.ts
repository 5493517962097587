import type { Clock } from '#server/platform/clock.ts';
import { tooManyRequests } from './errors.ts';

/** So many of something in so long. */
export interface Limit {
  name: string;
  count: number;
  windowMs: number;
}

const MINUTE = 60_000;
export const LIMIT = {
  reads: { name: 'reads', count: 3000, windowMs: MINUTE },
  writes: { name: 'writes', count: 600, windowMs: MINUTE },
  /** Of one account from one network. */
  failedSignInsFromNetwork: { name: 'account and network', count: 10, windowMs: 15 * MINUTE },
  /** Of one account from all networks together; known networks and devices are not held to it. */
  failedSignInsOfAccount: { name: 'account', count: 50, windowMs: 15 * MINUTE },
  /** From one network to all accounts. */
  failedSignInsOfNetwork: { name: 'network', count: 100, windowMs: 15 * MINUTE },
  /** On a device that has signed in to the account before: counted by itself, so that nobody else can use it up. */
  failedSignInsOfDevice: { name: 'device', count: 10, windowMs: 15 * MINUTE },
  /** A signed-in person who says the password again. */
  failedConfirmations: { name: 'confirmation', count: 10, windowMs: 15 * MINUTE },
  connectionRequests: { name: 'connections', count: 60, windowMs: 60 * MINUTE },
  reports: { name: 'reports', count: 20, windowMs: 60 * MINUTE },
  registrations: { name: 'registrations', count: 100, windowMs: 60 * MINUTE },
} as const satisfies Record<string, Limit>;

interface Window {
  startedAt: number;
  /** Used in this window and in the one before it. */
  used: number;
  before: number;
  windowMs: number;
}

/**
 * Counts by sliding windows: the last window counts by the share of it that still reaches into the present one. Kept in
 * memory: each node of several counts for itself.
 */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #scale: number;
  #sweptAt = 0;

  /** @param scale multiplies every count; 0 switches limits off */
  constructor(clock: Clock, scale: number) {
    this.#clock = clock;
    this.#scale = scale;
  }

  /** @throws 429 with Retry-After when `who` has had their share */
  take(limit: Limit, who: string): void {
    if (this.#scale === 0) return;
    const now = this.#clock.now().getTime();
    this.#sweep(now);
    const key = `${limit.name} ${who}`;
    const window = this.#roll(key, limit, now);
    const share = 1 - (now - window.startedAt) / limit.windowMs;
    if (window.used + window.before * share + 1 > limit.count * this.#scale) {
      throw tooManyRequests((limit.windowMs - (now - window.startedAt)) / 1000);
    }
    window.used += 1;
  }

  /**
   * Takes of several limits at once: of all of them, or of none.
   * @returns gives them all back
   * @throws 429 when one of them is used up
   */
  takeAll(wanted: readonly (readonly [limit: Limit, who: string])[]): () => void {
    const taken: (readonly [Limit, string])[] = [];
    const refund = () => taken.forEach(([limit, who]) => this.refund(limit, who));
    try {
      for (const each of wanted) {
        this.take(...each);
        taken.push(each);
      }
    } catch (error) {
      refund();
      throw error;
    }
    return refund;
  }

  /** Gives one back: what was taken did not count after all. */
  refund(limit: Limit, who: string): void {
    const window = this.#windows.get(`${limit.name} ${who}`);
    if (window && window.used > 0) window.used -= 1;
  }

  #roll(key: string, limit: Limit, now: number): Window {
    const found = this.#windows.get(key);
    const age = found === undefined ? Infinity : now - found.startedAt;
    if (found !== undefined && age >= 0 && age < limit.windowMs) return found;
    const follows = found !== undefined && age >= 0 && age < 2 * limit.windowMs;
    const fresh = {
      startedAt: follows ? found.startedAt + limit.windowMs : now,
      used: 0,
      before: follows ? found.used : 0,
      windowMs: limit.windowMs,
    };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < MINUTE) return;
    this.#sweptAt = now;
    for (const [key, window] of this.#windows) {
      if (Math.abs(now - window.startedAt) > 2 * window.windowMs) this.#windows.delete(key);
    }
  }
}

/**
 * An address as limits count it: a household's IPv6 network of 64 bits is one.
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
