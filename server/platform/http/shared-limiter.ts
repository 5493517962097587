import { createHmac } from 'node:crypto';
import { lt } from 'drizzle-orm';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { openPool, type Connection } from '#server/platform/db/pool.ts';
import { describeFailure, type JobFailure } from '#server/platform/jobs/failure.ts';
import { limits } from '#server/platform/db/schema.ts';
import type { Log } from '#server/platform/log.ts';
import { startDeadline, type Deadline } from '#server/platform/running-time.ts';
import { tooManyRequests } from './errors.ts';
import type { Limit, Use } from './limits.ts';
import { UsedUpKeys } from './used-up-keys.ts';

/** One connection serves several hundred requests per second. The second one covers for it while it is opened again. */
const CONNECTIONS = 2;
/** A database that has not answered after this time is away. */
const ANSWER_TIMEOUT_MS = 800;
/** When a connection that hangs is given up. */
const CONNECTION_TIMEOUT_MS = 2000;
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

/** A use that has been looked up: its key, and the counters in the database and in this process. */
interface Slot {
  limit: Shared;
  key: string;
  points: number;
  shared: RateLimiterPostgres;
  /** Counts while the database does not answer. */
  insurance: RateLimiterMemory;
}

/** What became of a use. */
interface Outcome {
  slot: Slot;
  /** Where it was counted. */
  countedBy: RateLimiterAbstract;
  /** How long the limit remains used up; null if the use is allowed. */
  refusedForMs: number | null;
}

/** Hides the address, network or person that a limit is about. */
const computeKey = (secret: string, { name }: Shared, subject: string): string =>
  createHmac('sha256', secret).update(`limit ${name} ${subject}`).digest('base64url');

/** Takes a use from a counter. @throws when the counter does not answer */
async function consume(slot: Slot, counter: RateLimiterAbstract): Promise<Outcome> {
  try {
    await counter.consume(slot.key, slot.points);
    return { slot, countedBy: counter, refusedForMs: null };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    // A use beyond the limit is counted as well.
    return { slot, countedBy: counter, refusedForMs: error.msBeforeNext };
  }
}

/**
 * Counts the uses of limits in the database, so that they hold on all nodes together (decision 030). Windows are fixed: they begin with the
 * first use. While the database does not answer, each node allows half as much by itself.
 */
export class SharedLimiter {
  readonly #parts: Parts;
  readonly #pool;
  readonly #counters = new Map<string, Pick<Slot, 'shared' | 'insurance'>>();
  /** Refunds that nobody waits for. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #usedUp = new UsedUpKeys();
  #warnedAtMs = -Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Read ahead: it must be known when the database is away. A failure is repeated by the first use.
    if (parts.scale > 0) this.#runLater(parts.getSecret());
    this.#pool = openPool(parts.connection, parts.log, {
      max: CONNECTIONS,
      application_name: 'callboard limits',
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      query_timeout: CONNECTION_TIMEOUT_MS,
      statement_timeout: CONNECTION_TIMEOUT_MS,
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

  /** Counts a use of a limit that refuses nobody. */
  async count(limit: Shared, subject: string): Promise<void> {
    await this.#withSlot(limit, subject, async (slot, deadline) => {
      await this.#consume(slot, deadline);
    });
  }

  /** Whether a limit is used up, without counting. While the database does not answer, it is not. */
  async isUsedUp(limit: Shared, subject: string): Promise<boolean> {
    let isUsedUp = false;
    await this.#withSlot(limit, subject, async ({ shared, key }, deadline) => {
      const answer = shared.get(key).catch((error: unknown) => {
        this.#warn(describeFailure(error));
        return null;
      });
      const found = await Promise.race([answer, deadline.passed]);
      isUsedUp = found !== 'passed' && found !== null && found.remainingPoints <= 0;
    });
    return isUsedUp;
  }

  /**
   * Counts a use, unless the limit is used up. For what is left out beyond a limit, not refused. Uses at the same moment may exceed it a little.
   * @returns whether it was counted
   */
  async countIfLeft(limit: Shared, subject: string): Promise<boolean> {
    if (await this.isUsedUp(limit, subject)) return false;
    await this.count(limit, subject);
    return true;
  }

  async #withSlot(
    limit: Shared,
    subject: string,
    use: (slot: Slot, deadline: Deadline) => Promise<void>,
  ): Promise<void> {
    if (this.#parts.scale === 0) return;
    const secret = await this.#parts.getSecret();
    const deadline = startDeadline(ANSWER_TIMEOUT_MS);
    try {
      await use(this.#findSlot(limit, computeKey(secret, limit, subject), 1), deadline);
    } finally {
      deadline.stop();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending);
    await this.#pool.end();
  }

  async #takeSlots(uses: readonly Use<'installation'>[], points: number): Promise<() => Promise<void>> {
    if (this.#parts.scale === 0) return async () => {};
    const secret = await this.#parts.getSecret();
    const slots = uses.map(([limit, subject]) => this.#findSlot(limit, computeKey(secret, limit, subject), points));
    for (const { limit, key } of slots) {
      const ms = this.#usedUp.getLeftMs(key);
      if (ms > 0) this.#refuse(limit, ms);
    }
    const outcomes: Outcome[] = [];
    const deadline = startDeadline(ANSWER_TIMEOUT_MS);
    try {
      // The first limit is the narrowest. What it refuses costs the others nothing.
      for (const some of [slots.slice(0, 1), slots.slice(1)]) {
        outcomes.push(...(await Promise.all(some.map((slot) => this.#consume(slot, deadline)))));
        const refused = outcomes.find(({ refusedForMs }) => refusedForMs !== null);
        if (refused === undefined) continue;
        // Nobody waits for these refunds: they change nothing about this answer.
        this.#runLater(this.#returnPoints(outcomes));
        this.#refuse(refused.slot.limit, refused.refusedForMs ?? 0);
      }
    } finally {
      deadline.stop();
    }
    return () => this.#refund(outcomes);
  }

  #findSlot(limit: Shared, key: string, points: number): Slot {
    const known = this.#counters.get(limit.name);
    const counters = known ?? this.#openCounters(limit);
    if (!known) this.#counters.set(limit.name, counters);
    return { limit, key, points, ...counters };
  }

  #openCounters({ name, count, windowMs }: Shared): Pick<Slot, 'shared' | 'insurance'> {
    // A limit that refuses everybody would shut the product.
    const points = Math.max(1, Math.floor(count * this.#parts.scale));
    const options = { keyPrefix: name, duration: windowMs / 1000 };
    const shared = new RateLimiterPostgres({
      ...options,
      storeClient: this.#pool,
      storeType: 'pool',
      tableName: 'limits',
      tableCreated: true,
      // The job `tidy.limits` does this.
      clearExpiredByTimeout: false,
      points,
    });
    return { shared, insurance: new RateLimiterMemory({ ...options, points: Math.max(1, Math.floor(points / 2)) }) };
  }

  async #consume(slot: Slot, deadline: Deadline): Promise<Outcome> {
    const answer = consume(slot, slot.shared).catch(describeFailure);
    const outcome = await Promise.race([answer, deadline.passed]);
    if (outcome !== 'passed' && 'slot' in outcome) return outcome;
    this.#warn(outcome === 'passed' ? { code: 'timeout', hint: 'no answer' } : outcome);
    return consume(slot, slot.insurance);
  }

  async #refund(outcomes: readonly Outcome[]): Promise<void> {
    const deadline = startDeadline(ANSWER_TIMEOUT_MS);
    await Promise.race([this.#returnPoints(outcomes), deadline.passed]).finally(deadline.stop);
  }

  /** Takes counted uses back. A counter that does not answer keeps them until its window ends. */
  async #returnPoints(outcomes: readonly Outcome[]): Promise<void> {
    await Promise.allSettled(
      outcomes.map(async ({ slot, countedBy, refusedForMs }) => {
        const { consumedPoints, msBeforeNext } = await countedBy.reward(slot.key, slot.points);
        // Remembered only if the limit is used up without this use too: uses that are refused at the same moment see each other's counts.
        if (consumedPoints < countedBy.points) this.#usedUp.delete(slot.key);
        else if (refusedForMs !== null) this.#usedUp.add(slot.key, msBeforeNext);
      }),
    );
  }

  #refuse({ name, maxWaitS }: Shared, ms: number): never {
    this.#parts.onRefused(name);
    throw tooManyRequests(Math.min(ms / 1000, maxWaitS ?? Infinity), { waitS: ms / 1000 });
  }

  #runLater(work: Promise<unknown>): void {
    const done = work.catch(() => undefined).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
  }

  #warn(failure: JobFailure): void {
    const now = performance.now();
    if (now - this.#warnedAtMs < WARNING_INTERVAL_MS) return;
    this.#warnedAtMs = now;
    this.#parts.log.warn(failure, 'the database does not answer in time: this server counts rate limits by itself');
  }
}

/** Deletes the rows of windows that ended a while ago. */
export async function deleteEndedWindows(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, limits, lt(limits.expire, now.getTime() - ENDED_WINDOW_MS));
}
