import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';

/** A job that has used all its tries, or is about to be tried again after a failure. */
export interface FailedJob {
  id: number;
  name: string;
  addedAt: Date;
  tries: number;
  maxTries: number;
  /** When it is tried again; null when it is not. */
  nextAt: Date | null;
  /** What failed last: a code and a hint as JSON, or the library's own message. */
  failure: string;
}

/** Whether a job has used all its tries. The library never takes it again. */
const isGivenUp = sql`attempts >= max_attempts and locked_at is null`;

/** The failed jobs, oldest first. */
export async function listFailedJobs(db: Db, limit = 100): Promise<FailedJob[]> {
  const { rows } = await db.execute<{
    id: string;
    name: string;
    added_at: string;
    tries: number;
    max_tries: number;
    next_at: string | null;
    failure: string | null;
  }>(sql`
    select id, task_identifier as name, created_at as added_at, attempts as tries, max_attempts as max_tries,
      case when ${isGivenUp} then null else run_at end as next_at, last_error as failure
    from graphile_worker.jobs where last_error is not null or (${isGivenUp}) order by id limit ${limit}`);
  return rows.map((row) => ({
    id: Number(row.id),
    name: row.name,
    addedAt: new Date(row.added_at),
    tries: row.tries,
    maxTries: row.max_tries,
    nextAt: row.next_at === null ? null : new Date(row.next_at),
    failure: row.failure ?? 'the server was killed while it did the job',
  }));
}

/** Has a failed job tried again now, as often as a new one. @returns false if there is none with this id, or it is running */
export async function retryJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`,
  );
  return rows.length > 0;
}

/** Removes a failed job without doing it. @returns false if there is none with this id, or it is running */
export async function dropJob(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.execute(sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`);
  return rows.length > 0;
}
