import { sql } from 'drizzle-orm';
import type { Db } from './db/connect.ts';
import { jobRuns } from './db/schema.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Work that nobody waits for, done now and then. */
export interface Job {
  /** For the log, and the same on every node. */
  name: string;
  /** Done by every node for itself; without this, by whichever comes first. */
  runsOnEveryNode?: true;
  run(now: Date): Promise<unknown>;
}

/**
 * Whether this node is to do it now: where another began it less than `everyMs` ago it has been done. A node that dies over
 * it leaves it to the next time. A beginning in the future was written by a wrong clock and counts for nothing.
 */
export async function claimRun(db: Db, name: string, everyMs: number, now: Date): Promise<boolean> {
  const at = (ms: number) => sql`${new Date(now.getTime() + ms).toISOString()}::timestamptz`;
  const { startedAt } = jobRuns;
  const claimed = await db
    .insert(jobRuns)
    .values({ name, startedAt: now })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: { startedAt: now },
      setWhere: sql`${startedAt} <= ${at(-everyMs)} or ${startedAt} > ${at(everyMs)}`,
    })
    .returning({ name: jobRuns.name });
  return claimed.length > 0;
}

/** Does what is due, one after the other. What fails is logged and holds up none of the others. */
export async function runJobs(
  jobs: readonly Job[],
  everyMs: number,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): Promise<void> {
  for (const { name, runsOnEveryNode, run } of jobs) {
    try {
      if (runsOnEveryNode || (await claimRun(db, name, everyMs, clock.now()))) await run(clock.now());
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed and is tried again later');
    }
  }
}
