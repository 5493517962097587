import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import type { JobKind } from './kinds.ts';

interface Options {
  /**
   * Jobs with the same key are one: a second replaces the first while that waits. Transactions that add the same key wait for each
   * other, so a key must belong to one event or one person.
   */
  key?: string;
  /** Not before this time has passed. A length, not a moment: the clocks of database and server may differ. */
  delayMs?: number;
}

/** Adds a job in this transaction. It starts moments after the commit, and never exists when the transaction is rolled back. */
export async function addJob<Payload>(
  tx: Db,
  { name, tries }: JobKind<Payload>,
  payload: Payload,
  { key, delayMs = 0 }: Options = {},
): Promise<void> {
  await tx.execute(sql`
    select from graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, max_attempts => ${tries},
      job_key => ${key ?? null},
      run_at => now() + ${delayMs}::float * interval '1 millisecond')`);
}
