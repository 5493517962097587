import { tooManyRequests } from '#server/platform/http/errors.ts';

interface QueueLimits {
  /** Maximum number of concurrent jobs. */
  concurrency: number;
  /** Maximum number of waiting jobs, in total. */
  maxWaiting: number;
  /** Maximum number of running and waiting jobs per person; one runs at a time. */
  maxPerPerson: number;
}

interface Waiting {
  userId: number;
  start: () => void;
}

/** Used time expires after this long. */
const WINDOW_MS = 10 * 60_000;

/**
 * A bounded queue with fair scheduling: the person whose jobs recently used the least time goes first, so that one person's slow
 * files do not delay others.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<number>();
  readonly #spentMs = new Map<number, number>();
  #windowStart = performance.now();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Queues `work` and runs it. @throws 429 if this person, or everyone together, has too many jobs waiting */
  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const own = this.#waiting.filter((each) => each.userId === userId).length + (this.#running.has(userId) ? 1 : 0);
    if (own >= this.#limits.maxPerPerson || this.#waiting.length >= this.#limits.maxWaiting) {
      throw tooManyRequests(2, { message: 'Many files are being checked at the moment; wait a few seconds' });
    }
    await new Promise<void>((start) => {
      this.#waiting.push({ userId, start });
      this.#startNext();
    });
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#running.delete(userId);
      this.#charge(userId, performance.now() - startedAt);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#limits.concurrency) {
      const free = this.#waiting.filter(({ userId }) => !this.#running.has(userId));
      const next = free.toSorted((a, b) => this.#spentBy(a) - this.#spentBy(b))[0];
      if (next === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.add(next.userId);
      next.start();
    }
  }

  #spentBy = ({ userId }: Waiting) => this.#spentMs.get(userId) ?? 0;

  #charge(userId: number, ms: number): void {
    if (performance.now() - this.#windowStart > WINDOW_MS) {
      this.#spentMs.clear();
      this.#windowStart = performance.now();
    }
    this.#spentMs.set(userId, (this.#spentMs.get(userId) ?? 0) + ms);
  }
}
