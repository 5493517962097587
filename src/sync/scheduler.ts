import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { PullLoop } from './pull-loop.ts';
import { nextDue } from './queue/planner.ts';
import { loadDeps } from './send/claim.ts';
import { getBackoffMs } from './send/commit.ts';
import { drainExclusively, endNetworkWaits, findWaiting } from './send/lease.ts';
import { getRateLimitMs } from './send/rate-limit.ts';
import type { Sender, DrainResult } from './send/sender.ts';
import { fullApi } from './server/full-api.ts';
import { getKnownServer } from './server/connect.ts';
import type { Save } from './write-once.ts';

/** Why the queue runs. Every cause but 'enqueue' and 'timer' also ends the delays that a missing network caused. */
export type Cause = 'enqueue' | 'start' | 'online' | 'visible' | 'tap' | 'timer' | 'sync' | 'signed in';

const DRAIN_BUDGET_MS = 120_000;
/** Delay before the next try while another tab holds the lock, or after the store failed. */
const BUSY_RETRY_MS = 15_000;
/** How long a pull waits for the drain. */
const PULL_DELAY_MS = 3000;
const MAX_SLEEP_MS = 300_000;

/**
 * Decides when one engine sends and pulls. It sets a timer after every run, so waiting rows never depend on the next
 * edit. It does so for an empty queue too, because another tab may queue a change and close.
 */
export function createScheduler(db: AccountDb, ports: EnginePorts, pulls: PullLoop, save: Save) {
  const { clock, chance } = ports;
  const holder = chance.uuid();
  let running: Promise<DrainResult> | null = null;
  let drain: Sender | null = null;
  let isRunWanted = false;
  let isStarted = false;
  let cancelTimer: (() => void) | null = null;
  let silentRuns = 0;

  function wake(cause: Cause): void {
    if (!isStarted) return;
    ports.requestWake?.();
    // No user action waits for this run, so a storage failure loses nothing. The user's own writes report it.
    run(cause).catch(retrySoon);
  }

  function retrySoon(): void {
    if (!isStarted) return;
    cancelTimer?.();
    cancelTimer = clock.after(BUSY_RETRY_MS, () => wake('timer'));
  }

  async function run(cause: Cause): Promise<void> {
    // Try the server again on start: the page that signed in may have closed before it could clear the pause here.
    if (cause === 'start') await save(() => db.meta.delete('auth-paused'));
    const hasNetwork = cause !== 'enqueue' && cause !== 'timer';
    if (hasNetwork) await endWaits();
    const draining = drainNow(DRAIN_BUDGET_MS);
    if (hasNetwork && (await waitBriefly(draining)) !== 'network') await pulls.pull();
    await draining;
  }

  /** Sending before pulling avoids a flicker on the screen, but a long upload must not delay the pull. */
  function waitBriefly(draining: Promise<DrainResult>): Promise<DrainResult> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(PULL_DELAY_MS, () => resolve('waiting'));
      draining.finally(cancel).then(resolve, reject);
    });
  }

  async function endWaits(): Promise<void> {
    silentRuns = 0;
    await save(() => endNetworkWaits(db));
  }

  /** Runs one drain at a time in this context. A call during a drain requests another one. */
  async function drainNow(budgetMs: number): Promise<DrainResult> {
    if (running) {
      isRunWanted = true;
      return running;
    }
    cancelTimer?.();
    running = drainExclusively(db, ports, holder, budgetMs, (started) => (drain = started));
    let result: DrainResult;
    try {
      result = await running;
    } catch (error) {
      retrySoon();
      throw error;
    } finally {
      running = null;
      drain = null;
    }
    silentRuns = result === 'network' ? silentRuns + 1 : 0;
    if (isRunWanted && isStarted) {
      isRunWanted = false;
      if (result !== 'network') return drainNow(budgetMs);
    }
    isRunWanted = false;
    if (isStarted) {
      retrySoon();
      await armTimer(result);
    }
    return result;
  }

  async function armTimer(last: DrainResult): Promise<void> {
    const now = clock.now();
    const due = await findNextDue(now);
    if (!isStarted) return;
    let delay = due === null ? MAX_SLEEP_MS : Math.min(due - now, MAX_SLEEP_MS);
    const backoff = () => getBackoffMs(silentRuns, () => chance.random());
    if (last === 'network') delay = Math.max(delay, backoff(), 500);
    if (last === 'paused') delay = Math.max(delay, await getPauseMs());
    if (last === 'waiting' && due !== null && due <= now) delay = Math.max(delay, BUSY_RETRY_MS);
    cancelTimer?.();
    cancelTimer = clock.after(Math.max(delay, 0), () => wake('timer'));
  }

  /** When the next row becomes due, ms since the epoch; null when no row will without an event. */
  async function findNextDue(now: number): Promise<number | null> {
    const { isFileReady } = (await getKnownServer(db)) ?? fullApi;
    // A due row near the head is the answer. Only a queue without one is read to its end.
    for (let count = 32; ; count *= 4) {
      const rows = await db.outbox.orderBy('seq').limit(count).toArray();
      const due = nextDue({ rows, ...(await loadDeps(db, rows)), now, isFileReady });
      if (rows.length < count || (due !== null && due <= now)) return due;
    }
  }

  /**
   * Delay before the next check of a paused account: the rest of the rate limit, or the maximum until the user signs
   * in.
   */
  async function getPauseMs(): Promise<number> {
    const left = await getRateLimitMs(db, clock.now());
    return left === 0 ? MAX_SLEEP_MS : Math.min(Math.max(left, 1000), MAX_SLEEP_MS);
  }

  return {
    wake,
    /** Sends the rows that are due now, for at most `budgetMs`. */
    drain: drainNow,
    /** Ends all back-off delays, also of changes that need attention but are retried, then sends everything that is due. */
    async tryNow(): Promise<DrainResult> {
      await endWaits();
      // The suspension may have ended.
      await save(() => db.meta.delete('suspended'));
      await save(() =>
        findWaiting(db, ['queued', 'attention'])
          .filter((row) => row.hold !== true)
          .modify({ notBefore: 0 }),
      );
      const drained = await drainNow(DRAIN_BUDGET_MS);
      if (drained !== 'network') await pulls.pull();
      return drained;
    },
    start(): void {
      if (isStarted) return;
      isStarted = true;
      pulls.start();
      wake('start');
    },
    /** Stops after the requests in flight have been answered. */
    async stop(): Promise<void> {
      isStarted = false;
      cancelTimer?.();
      drain?.stop();
      const pulled = pulls.stop();
      await running?.catch(() => undefined);
      await pulled;
    },
  };
}
