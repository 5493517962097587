import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from './engine-ports.ts';
import { coalesceRuns } from './coalesce-runs.ts';
import { getBackoffMs } from './send/commit.ts';
import { countSignIns, pauseForSignIn, getRateLimitMs, limitTransport } from './send/rate-limit.ts';
import { connectReader, getKnownReader } from './server/reader.ts';
import type { Save } from './write-once.ts';

/** How long a screen that shows the conversation has to mark a new message as read, in milliseconds. */
const REPORT_DELAY_MS = 1000;

/** Keeps the mirror of one engine up to date, one pull at a time, and reports the user's read cursors. */
export function createPullLoop(db: AccountDb, ports: EnginePorts, save: Save) {
  const { clock, chance } = ports;
  const limited = { ...ports, transport: limitTransport(db, ports) };
  let isStarted = false;
  let isFirstPullNoted = false;
  let failedPulls = 0;
  let cancelRetry: (() => void) | null = null;
  let cancelReport: (() => void) | null = null;
  const reports = coalesceRuns(reportOnce);
  const pulls = coalesceRuns(pullOnce, reports.run);

  const isSignedOut = async () => (await db.meta.get('auth-paused')) !== undefined;

  async function reportOnce(): Promise<void> {
    if (!isStarted || (await isSignedOut())) return;
    const reader = await getKnownReader(db);
    if (reader) await save(() => reader.reportReadCursors(db, limited));
  }

  async function pullOnce(): Promise<void> {
    if (await isSignedOut()) return;
    const reader = await connectReader(db, limited);
    const signIns = await countSignIns(db);
    const result = reader === null ? 'unreachable' : await save(() => reader.pull(db, limited));
    cancelRetry?.();
    failedPulls = result === 'unreachable' ? failedPulls + 1 : 0;
    if (result === 'unreachable' || result === 'overtaken') retryLater(await getRateLimitMs(db, clock.now()));
    if (result === 'sign in') await save(() => pauseForSignIn({ db, clock }, signIns));
    if (result === 'done' && !isFirstPullNoted) {
      await save(() => db.meta.put({ k: 'pulled', at: clock.now() }));
      isFirstPullNoted = true;
    }
  }

  /**
   * Schedules a retry of a pull that failed or was overtaken by our own changes. Without it, a first visit on a bad
   * network would stay empty.
   */
  function retryLater(rateLimitMs = 0): void {
    if (!isStarted) return;
    cancelRetry?.();
    const ms = Math.max(rateLimitMs, 1000 + getBackoffMs(failedPulls, () => chance.random()));
    cancelRetry = clock.after(ms, () => void pulls.run().catch(() => retryLater()));
  }

  return {
    /** Transport for requests outside the queue, subject to the server's rate limit. */
    transport: limited.transport,
    pull: pulls.run,
    isRunning: pulls.isRunning,
    /** Reports the user's read cursors once the engine has started, if the server accepts them. */
    report: reports.run,
    /** Reports that a message arrived, unless the screen marks it as read first and the report of that says both. */
    reportSoon(): void {
      cancelReport?.();
      // After a storage failure, the next message or pull reports it.
      cancelReport = clock.after(REPORT_DELAY_MS, () => void reports.run().catch(() => undefined));
    },
    /** Reads a conversation again. Returns whether that succeeded, or null when the server pushes new messages. */
    async pullConversation(id: string): Promise<boolean | null> {
      const reader = await getKnownReader(db);
      if (reader === null || (await isSignedOut())) return null;
      return save(() => reader.pullConversation(db, limited, id));
    },
    start(): void {
      isStarted = true;
    },
    async stop(): Promise<void> {
      isStarted = false;
      cancelRetry?.();
      cancelReport?.();
      await pulls.end();
      await reports.end();
    },
  };
}

export type PullLoop = ReturnType<typeof createPullLoop>;
