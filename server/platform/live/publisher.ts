import { asc, inArray, lt } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { liveOutbox } from '#server/platform/db/schema.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster } from './broadcaster.ts';

const AT_ONCE = 50;
/** Notes that a process left behind when it died, and those of times without the service. */
const LOOK_EVERY_MS = 5000;
/** Older news is no news: every device pulls what it lacks when it is back. */
const NEWS_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** When the server stops. What is left then goes out by another node, or when this one is back. */
const LAST_ONES_MS = 3000;

interface PublisherOptions {
  db: Db;
  broadcaster: Pick<Broadcaster, 'publish'>;
  clock: Clock;
  log: Log;
}

/**
 * Sends what writes left in `live_notes`, after their commit and until the service took it: at least once, in no promised order.
 * Several nodes may do so beside each other; each note is one's alone while it is sent.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #looking: NodeJS.Timeout;
  #work: Promise<void> | null = null;
  #isAwaited = false;
  #isClosed = false;
  /** Milliseconds of the process' clock after which nothing more is begun. */
  #until = Infinity;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#looking = setInterval(() => {
      this.#forget().catch((error: unknown) => options.log.warn({ err: error }, 'old news stays'));
      this.wake();
    }, LOOK_EVERY_MS);
    this.#looking.unref();
    // What a node left that was killed goes out with the next start.
    this.wake();
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#isClosed || this.#retry) return;
    if (this.#work) {
      this.#isAwaited = true;
      return;
    }
    this.#isAwaited = false;
    this.#work = this.#sendAll()
      .then(
        () => {
          this.#failures = 0;
        },
        (error: unknown) => this.#pause(error),
      )
      .finally(() => {
        this.#work = null;
        if (this.#isAwaited) this.wake();
      });
  }

  /** Sends what is there, as far as it goes quickly, and stops. */
  async close(): Promise<void> {
    this.#until = performance.now() + LAST_ONES_MS;
    clearInterval(this.#looking);
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.wake();
    this.#isClosed = true;
    while (this.#work) await this.#work;
  }

  #pause(error: unknown): void {
    if (this.#isClosed) return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#options.log.warn({ err: error, pause }, 'live news could not be sent');
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.wake();
    }, pause);
    this.#retry.unref();
  }

  async #forget(): Promise<void> {
    const { db, clock } = this.#options;
    await db.delete(liveOutbox).where(lt(liveOutbox.createdAt, new Date(clock.now().getTime() - NEWS_MS)));
  }

  async #sendAll(): Promise<void> {
    for (let count = AT_ONCE; count === AT_ONCE && performance.now() < this.#until;) count = await this.#sendSome();
  }

  async #sendSome(): Promise<number> {
    const { db, broadcaster } = this.#options;
    return db.transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(liveOutbox)
        .orderBy(asc(liveOutbox.id))
        .limit(AT_ONCE)
        .for('update', { skipLocked: true });
      if (rows.length === 0) return 0;
      await broadcaster.publish(rows.map(({ note }) => note));
      await tx.delete(liveOutbox).where(
        inArray(
          liveOutbox.id,
          rows.map(({ id }) => id),
        ),
      );
      return rows.length;
    });
  }
}
