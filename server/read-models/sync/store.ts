import { and, asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { idempotencyKeys, installation, syncRecords, users } from '#server/platform/db/schema.ts';

type FeedRow = typeof syncRecords.$inferSelect;

/** The head of a person's feed, and the position from which it is complete. */
export interface Head {
  epoch: string;
  head: number;
  forgotten: number;
}

export async function getFeedHead(db: Db, userId: number): Promise<Head> {
  const [found] = await db
    .select({ epoch: installation.epoch, head: users.syncSeq, forgotten: users.syncForgotten })
    .from(users)
    .innerJoin(installation, sql`true`)
    .where(eq(users.id, userId));
  if (found === undefined) throw new Error('The caller is gone');
  return found;
}

/** Messages per conversation in an initial pull; devices fetch older ones on demand. */
const FIRST_MESSAGES = 50;

interface Place {
  seq: number;
  /** Head of the feed when the initial pull began. */
  since: number;
}

/** Reads the feed after a position. An initial pull omits deletions and contains only the newest messages. */
export async function readFeedAfter(db: Db, userId: number, { seq, since }: Place, limit: number): Promise<FeedRow[]> {
  // One query for all conversations; a subquery per message takes seconds for long ones.
  const isNewest = sql`${syncRecords.recordId} in (
    select messages.id::text from conversations join messages on messages.conversation_id = conversations.id
      and messages.seq > conversations.last_seq - ${FIRST_MESSAGES}
    where conversations.first_id = ${userId} or conversations.second_id = ${userId}
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

const BATCH_SIZE = 1000;

/** Deletes expired tombstones. Devices that were away for longer pull everything again. */
export async function deleteOldTombstones(db: Db, now: Date): Promise<void> {
  const before = daysBefore(now, LIMITS.tombstoneDays).toISOString();
  for (let found = BATCH_SIZE; found === BATCH_SIZE;) found = await deleteSomeTombstones(db, before);
}

/** @param before an ISO time @returns the number found */
function deleteSomeTombstones(db: Db, before: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { userId, type, recordId, deletedAt } = syncRecords;
    const old = await tx
      .select({ userId, type, recordId })
      .from(syncRecords)
      .where(sql`${deletedAt} < ${before}`)
      .orderBy(asc(deletedAt))
      .limit(BATCH_SIZE);
    if (old.length === 0) return 0;
    const list = (values: unknown[]) => sql.param(values);
    // Writers lock these rows in the same order, which prevents deadlocks.
    const owners = [...new Set(old.map((each) => each.userId))];
    await tx.execute(sql`select id from users where id = any(${list(owners)}::bigint[]) order by id for no key update`);
    await tx.execute(sql`
      with gone as (
        delete from sync_records using unnest(
          ${list(old.map((each) => each.userId))}::bigint[],
          ${list(old.map((each) => each.type))}::text[],
          ${list(old.map((each) => each.recordId))}::text[]
        ) as old (user_id, type, record_id)
        where sync_records.user_id = old.user_id and sync_records.type = old.type
          and sync_records.record_id = old.record_id and deleted_at < ${before}
        returning sync_records.user_id, seq
      )
      update users set sync_forgotten = greatest(sync_forgotten, last.seq)
      from (select user_id, max(seq) as seq from gone group by user_id) as last
      where users.id = last.user_id`);
    return old.length;
  });
}

/** Deletes expired idempotency records. */
export async function deleteOldResponses(db: Db, now: Date): Promise<void> {
  const { createdAt } = idempotencyKeys;
  const before = daysBefore(now, LIMITS.idempotencyDays).toISOString();
  for (let gone: number | null = BATCH_SIZE; gone === BATCH_SIZE;) {
    const some: SQL = sql`select ctid from ${idempotencyKeys} where ${createdAt} < ${before} order by ${createdAt} limit ${BATCH_SIZE}`;
    gone = (await db.execute(sql`delete from ${idempotencyKeys} where ctid = any(array(${some}))`)).rowCount;
  }
}
