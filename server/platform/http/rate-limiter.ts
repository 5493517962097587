import type { Clock } from '#server/platform/clock.ts';
import { tooManyRequests } from './errors.ts';

/** At most `count` uses per `windowMs`. */
export interface Limit {
  name: string;
  count: number;
  windowMs: number;
}

const MINUTE = 60_000;
export const LIMIT = {
  reads: { name: 'reads', count: 3000, windowMs: MINUTE },
  writes: { name: 'writes', count: 600, windowMs: MINUTE },
  /** For one account from one network. */
  failedSignInsFromNetwork: { name: 'account and network', count: 10, windowMs: 15 * MINUTE },
  /** For one account from all networks together. Known networks and devices are exempt. */
  failedSignInsOfAccount: { name: 'account', count: 50, windowMs: 15 * MINUTE },
  /** From one network, across all accounts. */
  failedSignInsOfNetwork: { name: 'network', count: 100, windowMs: 15 * MINUTE },
  /** On a device that has signed in to the account before. Counted separately, so that an attacker cannot exhaust it. */
  failedSignInsOfDevice: { name: 'device', count: 10, windowMs: 15 * MINUTE },
  /** Signed-in people subject confirm their password. */
  failedConfirmations: { name: 'confirmation', count: 10, windowMs: 15 * MINUTE },
  /** Mails with a link for a new password: to one address, and from one network. */
  resetsOfAddress: { name: 'resets of address', count: 3, windowMs: 60 * MINUTE },
  resetsOfNetwork: { name: 'resets of network', count: 30, windowMs: 60 * MINUTE },
  /** Guesses at the token of a link. */
  linksOfNetwork: { name: 'links', count: 100, windowMs: 15 * MINUTE },
  emailChanges: { name: 'e-mail changes', count: 3, windowMs: 24 * 60 * MINUTE },
  verifications: { name: 'verifications', count: 3, windowMs: 60 * MINUTE },
  connectionRequests: { name: 'connections', count: 60, windowMs: 60 * MINUTE },
  reports: { name: 'reports', count: 20, windowMs: 60 * MINUTE },
  registrations: { name: 'registrations', count: 100, windowMs: 60 * MINUTE },
} as const satisfies Record<string, Limit>;

interface Window {
  startedAt: number;
  /** Uses in this window and in the previous one. */
  used: number;
  previousUsed: number;
  windowMs: number;
}

/**
 * Sliding-window rate limiter: the previous window counts in proportion to its overlap with the sliding window. Counts are in
 * memory, so each node has its own.
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

  /** @throws 429 with Retry-After when `subject` has used up the limit */
  take(limit: Limit, subject: string): void {
    if (this.#scale === 0) return;
    const now = this.#clock.now().getTime();
    this.#sweep(now);
    const key = `${limit.name} ${subject}`;
    const window = this.#roll(key, limit, now);
    const share = 1 - (now - window.startedAt) / limit.windowMs;
    if (window.used + window.previousUsed * share + 1 > limit.count * this.#scale) {
      throw tooManyRequests((limit.windowMs - (now - window.startedAt)) / 1000);
    }
    window.used += 1;
  }

  /**
   * Takes from several limits at once: from all of them or from none.
   * @returns a function that refunds all of them
   * @throws 429 when one of them is used up
   */
  takeAll(requested: readonly (readonly [limit: Limit, subject: string])[]): () => void {
    const taken: (readonly [Limit, string])[] = [];
    const refund = () => taken.forEach(([limit, subject]) => this.refund(limit, subject));
    try {
      for (const each of requested) {
        this.take(...each);
        taken.push(each);
      }
    } catch (error) {
      refund();
      throw error;
    }
    return refund;
  }

  /** Returns one use to the limit. */
  refund(limit: Limit, subject: string): void {
    const window = this.#windows.get(`${limit.name} ${subject}`);
    if (window && window.used > 0) window.used -= 1;
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
    if (Math.abs(now - this.#sweptAt) < MINUTE) return;
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
