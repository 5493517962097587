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

/** Why the queue should move. All but an edit and a timer also end the waits that a missing network caused. */
export type Cause = 'enqueue' | 'start' | 'online' | 'visible' | 'tap' | 'timer' | 'sync' | 'signed in';

const DRAIN_BUDGET_MS = 120_000;
/** How soon to look again when another tab holds the lock. */
const BUSY_RETRY_MS = 15_000;
/** How long a pull waits for the queue to be sent. */
const PULL_DELAY_MS = 3000;
const MAX_SLEEP_MS = 300_000;

/**
 * Decides when one engine sends and pulls. A timer is armed after every run, so nothing that waits depends on the next
 * edit; with an empty queue too, for another tab may write and die.
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
    // The store failed under a run that nobody asked for: nothing is lost. A person's own write reports it.
    run(cause).catch(retrySoon);
  }

  function retrySoon(): void {
    if (!isStarted) return;
    cancelTimer?.();
    cancelTimer = clock.after(BUSY_RETRY_MS, () => wake('timer'));
  }

  async function run(cause: Cause): Promise<void> {
    // A start asks the server anew: the sign-in that ended a pause may have died before it could say so here.
    if (cause === 'start') await save(() => db.meta.delete('auth-paused'));
    const hasNetwork = cause !== 'enqueue' && cause !== 'timer';
    if (hasNetwork) await endWaits();
    const draining = drainNow(DRAIN_BUDGET_MS);
    if (hasNetwork && (await waitBriefly(draining)) !== 'network') await pulls.pull();
    await draining;
  }

  /** Sending first avoids a flicker on the screen; but a video on its way must not hold up what others changed. */
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

  /** One drain at a time in this context; a call during one makes it run once more. */
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

  /** When the next row becomes due, ms since the epoch; null where none will by itself. */
  async function findNextDue(now: number): Promise<number | null> {
    const { isFileReady } = (await getKnownServer(db)) ?? fullApi;
    // A row that is due at the head settles it; only a queue that waits is read to its end.
    for (let count = 32; ; count *= 4) {
      const rows = await db.outbox.orderBy('seq').limit(count).toArray();
      const due = nextDue({ rows, ...(await loadDeps(db, rows)), now, isFileReady });
      if (rows.length < count || (due !== null && due <= now)) return due;
    }
  }

  /** How long the account stays paused: as long as the server asked for, or until the person signs in. */
  async function getPauseMs(): Promise<number> {
    const left = await getRateLimitMs(db, clock.now());
    return left === 0 ? MAX_SLEEP_MS : Math.min(Math.max(left, 1000), MAX_SLEEP_MS);
  }

  return {
    wake,
    /** Sends what is due now, for at most `budgetMs`. */
    drain: drainNow,
    /** Ends every wait, then sends everything that is due. */
    async tryNow(): Promise<DrainResult> {
      await endWaits();
      await save(() =>
        findWaiting(db, ['queued'])
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
    /** Ends in order: what is on its way is answered first. */
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
