import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/db/connect.ts';
import { idempotencyKeys, installation, syncRecords, users } from '#server/db/schema.ts';

type FeedRow = typeof syncRecords.$inferSelect;

/** How far a person's feed goes, and from where on it is whole. */
export interface Head {
  epoch: string;
  head: number;
  forgotten: number;
}

export async function headOf(db: Db, userId: number): Promise<Head> {
  const [found] = await db
    .select({ epoch: installation.epoch, head: users.syncSeq, forgotten: users.syncForgotten })
    .from(users)
    .innerJoin(installation, sql`true`)
    .where(eq(users.id, userId));
  if (found === undefined) throw new Error('The caller is gone');
  return found;
}

/** Of each conversation, when somebody pulls everything; the rest is fetched where it is read. */
const FIRST_MESSAGES = 50;

interface Place {
  seq: number;
  /** How far the feed went when the pull of everything began. */
  since: number;
}

/** What stands behind a place. Who has nothing yet has nothing to delete, and gets the newest messages alone. */
export async function feedAfter(db: Db, userId: number, { seq, since }: Place, limit: number): Promise<FeedRow[]> {
  const isNewest = sql`exists (
    select 1 from messages join conversations on conversations.id = messages.conversation_id
    where messages.id = ${syncRecords.recordId}::bigint and messages.seq > conversations.last_seq - ${FIRST_MESSAGES}
  )`;
  return db
    .select()
    .from(syncRecords)
    .where(
      and(
        eq(syncRecords.userId, userId),
        gt(syncRecords.seq, seq),
        ...(seq === 0 ? [isNull(syncRecords.deletedAt)] : []),
        sql`case when ${syncRecords.type} = 'message' and ${syncRecords.seq} <= ${since} then ${isNewest} else true end`,
      ),
    )
    .orderBy(asc(syncRecords.seq))
    .limit(limit);
}

const DAY_MS = 86_400_000;
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

/** Forgets tombstones and stored answers that have served their time; devices away for longer pull everything. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from sync_records where deleted_at < ${daysBefore(now, LIMITS.tombstoneDays).toISOString()}
      returning user_id, seq
    )
    update users set sync_forgotten = greatest(sync_forgotten, last.seq)
    from (select user_id, max(seq) as seq from gone group by user_id) as last
    where users.id = last.user_id`);
  await db
    .delete(idempotencyKeys)
    .where(sql`${idempotencyKeys.createdAt} < ${daysBefore(now, LIMITS.idempotencyDays).toISOString()}`);
}
