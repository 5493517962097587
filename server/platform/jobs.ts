import { sql } from 'drizzle-orm';
import type { Db } from './db/connect.ts';
import { jobRuns } from './db/schema.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Periodic background work. */
export interface Job {
  /** Identifies the job on every node and in the log. Stored in the database. */
  name: string;
  /** Every node runs the job for itself. Otherwise the first node to claim it does. */
  runsOnEveryNode?: true;
  run(now: Date): Promise<unknown>;
}

/**
 * Claims a run of a job. @returns false when a node started one less than `intervalMs` ago. A run whose node died is not repeated before
 * the next interval. A start time in the future comes from a wrong clock and is ignored.
 */
export async function claimRun(db: Db, name: string, intervalMs: number, now: Date): Promise<boolean> {
  const at = (ms: number) => sql`${new Date(now.getTime() + ms).toISOString()}::timestamptz`;
  const { startedAt } = jobRuns;
  const claimed = await db
    .insert(jobRuns)
    .values({ name, startedAt: now })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: { startedAt: now },
      setWhere: sql`${startedAt} <= ${at(-intervalMs)} or ${startedAt} > ${at(intervalMs)}`,
    })
    .returning({ name: jobRuns.name });
  return claimed.length > 0;
}

/** Runs the jobs that are due, one after the other. A failure is logged and does not stop the others. */
export async function runJobs(
  jobs: readonly Job[],
  intervalMs: number,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): Promise<void> {
  for (const { name, runsOnEveryNode, run } of jobs) {
    try {
      if (runsOnEveryNode || (await claimRun(db, name, intervalMs, clock.now()))) await run(clock.now());
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed and is tried again later');
    }
  }
}
