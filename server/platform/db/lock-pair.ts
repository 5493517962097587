import { sql } from 'drizzle-orm';
import type { Db } from './connect.ts';

/** Serializes changes between two people until the commit: they may request, ask or block each other at the same moment. */
export async function lockPair(tx: Db, one: number, other: number): Promise<void> {
  const pair = `two people ${Math.min(one, other)} ${Math.max(one, other)}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`);
}
