import { createHmac } from 'node:crypto';
import { lt } from 'drizzle-orm';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { openPool, type Connection } from '#server/platform/db/pool.ts';
import { limits } from '#server/platform/db/schema.ts';
import type { Log } from '#server/platform/log.ts';
import { tooManyRequests } from './errors.ts';
import type { Limit, Use } from './limits.ts';

declare module 'rate-limiter-flexible' {
  interface RateLimiterPostgres {
    /** How long this process refuses the key without asking the database; 0 if it does not. Its types leave it out. */
    getInMemoryBlockMsBeforeExpire(key: string): number;
  }
}

/** One connection serves several hundred requests per second. The second one covers for it while it is opened again. */
const CONNECTIONS = 2;
/** A database that does not answer within both times is away. Together they are less than a second. */
const CONNECT_TIMEOUT_MS = 500;
const QUERY_TIMEOUT_MS = 400;
const WARNING_INTERVAL_MS = 60_000;
/** How long the row of a window is kept after its end. The clocks of nodes may differ. */
const ENDED_WINDOW_MS = 60 * 60_000;

interface Parts {
  connection: Connection;
  /** Returns the secret of the installation, which hides the subjects in the database. */
  getSecret: () => Promise<string>;
  /** Multiplies every count; 0 switches limits off. */
  scale: number;
  log: Log;
  onRefused: (limit: string) => void;
}

type Shared = Limit<'installation'>;

/** A use that has been looked up: its counter and its key there. */
interface Slot {
  limit: Shared;
  limiter: RateLimiterPostgres;
  key: string;
  points: number;
}

/** Hides the address, network or person that a limit is about. */
const computeKey = (secret: string, { name }: Shared, subject: string): string =>
  createHmac('sha256', secret).update(`limit ${name} ${subject}`).digest('base64url');

/** Whether a use was counted: an allowed one, or one that the database refused. What this process refuses is not counted. */
const isCounted = (result: PromiseSettledResult<RateLimiterRes> | undefined): boolean =>
  result?.status === 'fulfilled' || (result?.reason instanceof RateLimiterRes && result.reason.consumedPoints > 0);

/** Counts in this process while the database does not answer. */
class Insurance extends RateLimiterMemory {
  readonly #onUse: () => void;

  constructor(options: ConstructorParameters<typeof RateLimiterMemory>[0], onUse: () => void) {
    super(options);
    this.#onUse = onUse;
  }

  override consume(...use: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.#onUse();
    return super.consume(...use);
  }
}

/**
 * Counts the uses of limits in the database, so that they hold on all nodes together (decision 030). Windows are fixed: they begin with the
 * first use. While the database does not answer, each node allows half as much by itself.
 */
export class SharedLimiter {
  readonly #parts: Parts;
  readonly #pool;
  readonly #limiters = new Map<string, RateLimiterPostgres>();
  /** Refunds that nobody waits for. */
  readonly #pending = new Set<Promise<unknown>>();
  #warnedAtMs = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Read ahead: it must be known when the database is away. A failure is repeated by the first use.
    if (parts.scale > 0) this.#runLater(parts.getSecret());
    this.#pool = openPool(parts.connection, parts.log, {
      max: CONNECTIONS,
      application_name: 'callboard limits',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      statement_timeout: QUERY_TIMEOUT_MS,
    });
  }

  /**
   * @param points how many uses this one counts for
   * @throws 429 with Retry-After when `subject` has used up the limit
   */
  async take(limit: Shared, subject: string, points = 1): Promise<() => Promise<void>> {
    return this.#takeSlots([[limit, subject]], points);
  }

  /**
   * Takes from several limits at once: from all of them or from none.
   * @returns a function that refunds all of them
   * @throws 429 with Retry-After when one of them is used up
   */
  async takeAll(uses: readonly Use<'installation'>[]): Promise<() => Promise<void>> {
    return this.#takeSlots(uses, 1);
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending);
    await this.#pool.end();
  }

  async #takeSlots(uses: readonly Use<'installation'>[], points: number): Promise<() => Promise<void>> {
    if (this.#parts.scale === 0) return async () => {};
    const secret = await this.#parts.getSecret();
    const slots = uses.map(([limit, subject]) => this.#findSlot(limit, computeKey(secret, limit, subject), points));
    for (const { limit, limiter, key } of slots) {
      const ms = limiter.getInMemoryBlockMsBeforeExpire(limiter.getKey(key));
      if (ms > 0) this.#refuse(limit, ms);
    }
    const results = await Promise.allSettled(slots.map(({ limiter, key }) => limiter.consume(key, points)));
    const refusedAt = results.findIndex(({ status }) => status === 'rejected');
    if (refusedAt === -1) return () => this.#refund(slots);
    const reason: unknown = (results[refusedAt] as PromiseRejectedResult).reason;
    if (!(reason instanceof RateLimiterRes)) throw reason;
    // Nobody waits for these refunds: they change nothing about this answer.
    const counted = slots.filter((_, at) => isCounted(results[at]));
    this.#runLater(Promise.all(counted.map((slot) => this.#returnPoints(slot))));
    return this.#refuse(slots[refusedAt]!.limit, reason.msBeforeNext);
  }

  #findSlot(limit: Shared, key: string, points: number): Slot {
    const known = this.#limiters.get(limit.name);
    const limiter = known ?? this.#openLimiter(limit);
    if (!known) this.#limiters.set(limit.name, limiter);
    return { limit, limiter, key, points };
  }

  #openLimiter({ name, count, windowMs }: Shared): RateLimiterPostgres {
    // A limit that refuses everybody would shut the product.
    const points = Math.max(1, Math.floor(count * this.#parts.scale));
    const duration = windowMs / 1000;
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      storeType: 'pool',
      tableName: 'limits',
      tableCreated: true,
      // The job `tidy.limits` does this.
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration,
      // What has been refused once costs no further query. The last allowed use must not be remembered: it may be refunded.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new Insurance({ keyPrefix: name, points: Math.max(1, Math.floor(points / 2)), duration }, () =>
        this.#warn(),
      ),
    });
  }

  async #refund(slots: readonly Slot[]): Promise<void> {
    // Another use may have been refused because of this one.
    for (const { limiter } of slots) limiter.deleteInMemoryBlockedAll();
    await Promise.all(slots.map((slot) => this.#returnPoints(slot)));
  }

  async #returnPoints({ limiter, key, points }: Slot): Promise<void> {
    await limiter.reward(key, points);
  }

  #refuse({ name, maxWaitS }: Shared, ms: number): never {
    this.#parts.onRefused(name);
    throw tooManyRequests(Math.min(ms / 1000, maxWaitS ?? Infinity));
  }

  #runLater(work: Promise<unknown>): void {
    const done = work.catch(() => undefined).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }

  #warn(): void {
    const now = performance.now();
    if (now - this.#warnedAtMs < WARNING_INTERVAL_MS) return;
    this.#warnedAtMs = now;
    this.#parts.log.warn('the database does not answer in time: this server counts rate limits by itself');
  }
}

/** Deletes the rows of windows that ended a while ago. */
export async function deleteEndedWindows(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, limits, lt(limits.expire, now.getTime() - ENDED_WINDOW_MS));
}
