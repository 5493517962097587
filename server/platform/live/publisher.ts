import { lt } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { runPrepared } from '#server/platform/db/prepared.ts';
import { liveOutbox } from '#server/platform/db/schema.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/log.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import type { Broadcast, Broadcaster } from './broadcaster.ts';

const BATCH_SIZE = 50;
/**
 * After a batch, the events of further writes are gathered for this long. A write that comes alone is published at once; many in a row
 * share a statement, and with it a transaction and what PostgreSQL writes to the disk for it.
 */
const GATHER_MS = 10;
/** Finds broadcasts left by a process that died, and those from times when the service was unreachable. */
const POLL_INTERVAL_MS = 5000;
/** Older broadcasts are deleted unsent; clients catch up by pulling. */
const MAX_AGE_MS = 5 * 60_000;
const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 30_000;
/** How long to keep sending at shutdown. The rest is sent by another node or after the next start. */
const CLOSE_TIMEOUT_MS = 3000;

interface PublisherOptions {
  db: Db;
  broadcaster: Pick<Broadcaster, 'publish' | 'isInProcess'>;
  clock: Clock;
  log: Log;
}

interface LiveOutboxRow {
  id: string;
  note: Broadcast;
}

/** Deletes the oldest rows that no other node is sending, and returns them. */
const TAKE_BATCH = `
  delete from live_notes where id = any(array(
    select id from live_notes order by id limit ${BATCH_SIZE} for update skip locked
  )) returning id, note`;

/**
 * Sends the broadcasts of committed writes from the live outbox (`live_notes`), in no guaranteed order. Several nodes may publish
 * concurrently. A service gets each at least once: its row stays locked until the service has it. Sockets of this process get it at
 * most once: what a crash loses, its devices pull when they reconnect.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #pollTimer: NodeJS.Timeout;
  #work: Promise<void> | null = null;
  #hasMore = false;
  #isClosed = false;
  /** No new batch starts after this time, in milliseconds of the process clock. */
  #deadline = Infinity;
  #failures = 0;
  #gatherTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#pollTimer = setInterval(() => {
      this.#deleteExpired().catch((error: unknown) =>
        options.log.warn(describeFailure(error), 'expired live events could not be deleted'),
      );
      this.wake();
    }, POLL_INTERVAL_MS);
    this.#pollTimer.unref();
    // Sends what a killed process left behind.
    this.wake();
  }

  /** Signals that there may be something to send. */
  wake(): void {
    if (this.#isClosed || this.#retryTimer) return;
    if (this.#work || this.#gatherTimer) {
      this.#hasMore = true;
      return;
    }
    this.#hasMore = false;
    this.#work = this.#sendAll()
      .then(
        () => {
          this.#failures = 0;
        },
        (error: unknown) => this.#scheduleRetry(error),
      )
      .finally(() => {
        this.#work = null;
        if (!this.#isClosed) this.#gather();
      });
  }

  /** Sends what it can within `CLOSE_TIMEOUT_MS`, then stops. */
  async close(): Promise<void> {
    this.#deadline = performance.now() + CLOSE_TIMEOUT_MS;
    clearInterval(this.#pollTimer);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    clearTimeout(this.#gatherTimer);
    this.#gatherTimer = undefined;
    this.wake();
    this.#isClosed = true;
    while (this.#work) await this.#work;
  }

  #gather(): void {
    this.#gatherTimer = setTimeout(() => {
      this.#gatherTimer = undefined;
      if (this.#hasMore) this.wake();
    }, GATHER_MS);
    this.#gatherTimer.unref();
  }

  #scheduleRetry(error: unknown): void {
    if (this.#isClosed) return;
    const delayMs = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#options.log.warn({ ...describeFailure(error), pause: delayMs }, 'live events could not be sent');
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.wake();
    }, delayMs);
    this.#retryTimer.unref();
  }

  async #deleteExpired(): Promise<void> {
    const { db, clock } = this.#options;
    await db.delete(liveOutbox).where(lt(liveOutbox.createdAt, new Date(clock.now().getTime() - MAX_AGE_MS)));
  }

  async #sendAll(): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE && performance.now() < this.#deadline;)
      count = await this.#sendBatch();
  }

  async #sendBatch(): Promise<number> {
    const { db, broadcaster } = this.#options;
    const send = async (from: Db) => {
      const rows = await runPrepared<LiveOutboxRow>(from, 'take broadcasts', TAKE_BATCH, []);
      const inOrder = rows.sort((a, b) => Number(a.id) - Number(b.id));
      if (rows.length > 0) await broadcaster.publish(inOrder.map(({ note }) => note));
      return rows.length;
    };
    return broadcaster.isInProcess ? send(db) : db.transaction(send);
  }
}
