import { and, asc, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { idempotencyKeys, syncRecords, users } from '#server/platform/db/schema.ts';
import { FIRST_MESSAGES } from './store.ts';

const DAY_MS = 86_400_000;
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

const BATCH_SIZE = 1000;

/** Locks the counters of these people until the end of the transaction, in the same order as writers, which prevents deadlocks. */
const lockFeeds = (tx: Db, userIds: readonly number[]) =>
  tx.execute(
    sql`select id from users where id = any(${sql.param([...new Set(userIds)])}::bigint[]) order by id for no key update`,
  );

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
      .where(and(lt(deletedAt, new Date(before)), ne(type, 'message')))
      .orderBy(asc(deletedAt))
      .limit(BATCH_SIZE);
    if (old.length === 0) return 0;
    const list = (values: unknown[]) => sql.param(values);
    await lockFeeds(
      tx,
      old.map((each) => each.userId),
    );
    // A record written again since then has no tombstone any more, or a newer one.
    await tx.execute(sql`
      with gone as (
        delete from sync_records using unnest(
          ${list(old.map((each) => each.userId))}::bigint[],
          ${list(old.map((each) => each.type))}::sync_type[],
          ${list(old.map((each) => each.recordId))}::bigint[]
        ) as old (user_id, type, record_id)
        where sync_records.user_id = old.user_id and sync_records.type = old.type
          and sync_records.record_id = old.record_id and sync_records.type <> 'message' and deleted_at < ${before}
        returning sync_records.user_id, seq
      )
      update users set sync_forgotten = greatest(sync_forgotten, last.seq)
      from (select user_id, max(seq) as seq from gone group by user_id) as last
      where users.id = last.user_id`);
    return old.length;
  });
}

/** Messages this old are removed from feeds, unless an initial pull contains them. */
export const FEED_MESSAGE_DAYS = 30;
/** A feed is looked through this often. */
const TRIM_INTERVAL_DAYS = 7;
/** Feeds looked through together, and in one run of the job, which is hourly: three million a week. */
const FEEDS_PER_BATCH = 20;
const MAX_FEEDS_PER_RUN = 20_000;

/**
 * Removes old messages from feeds. Devices that were away for longer pull everything again: the newest messages of each conversation,
 * and older ones when somebody scrolls to them.
 */
export async function trimOldMessages(db: Db, now: Date): Promise<void> {
  const dueBefore = dayOf(daysBefore(now, TRIM_INTERVAL_DAYS - 1));
  // A later day comes from a wrong clock. The clocks of two nodes may differ by moments around midnight.
  const tomorrow = dayOf(daysBefore(now, -1));
  const { id, syncSeq, syncTrimmedOn } = users;
  let last = 0;
  for (let done = 0; done < MAX_FEEDS_PER_RUN; done += FEEDS_PER_BATCH) {
    const due = await db
      .select({ id })
      .from(users)
      // A feed that never had more changes has only the newest messages.
      .where(
        and(
          gt(id, last),
          gt(syncSeq, FIRST_MESSAGES),
          or(isNull(syncTrimmedOn), lt(syncTrimmedOn, dueBefore), gt(syncTrimmedOn, tomorrow)),
        ),
      )
      .orderBy(asc(id))
      .limit(FEEDS_PER_BATCH);
    const end = due.at(-1);
    if (end === undefined) return;
    const ids = due.map((each) => each.id);
    for (let gone = BATCH_SIZE; gone === BATCH_SIZE;) gone = await trimSomeMessages(db, ids, now);
    await db.transaction(async (tx) => {
      await lockFeeds(tx, ids);
      await tx
        .update(users)
        .set({ syncTrimmedOn: dayOf(now) })
        .where(inArray(id, ids));
    });
    last = end.id;
  }
}

/** @returns the number of messages removed from these people's feeds */
function trimSomeMessages(db: Db, userIds: readonly number[], now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const before = daysBefore(now, FEED_MESSAGE_DAYS).toISOString();
    // Read before the lock, which writers wait for. What is found stays true: a message only gets older, and has more after it.
    const { rows: old } = await tx.execute<{ user_id: number; seq: number; is_known: boolean }>(sql`
      select entry.user_id, entry.seq, messages.id is not null as is_known
      from sync_records entry left join messages on messages.id = entry.record_id
      left join conversations on conversations.id = messages.conversation_id
      where entry.user_id = any(${sql.param([...userIds])}::int[]) and entry.type = 'message' and (messages.id is null
        or (messages.created_at < ${before} and messages.seq <= conversations.last_seq - ${FIRST_MESSAGES}))
      limit ${BATCH_SIZE}`);
    if (old.length === 0) return 0;
    await lockFeeds(
      tx,
      old.map((each) => each.user_id),
    );
    // No device needs to know of a message that was deleted with its conversation, so it makes no cursor too old.
    await tx.execute(sql`
      with old as (
        select * from unnest(
          ${sql.param(old.map((each) => each.user_id))}::int[],
          ${sql.param(old.map((each) => each.seq))}::int[],
          ${sql.param(old.map((each) => each.is_known))}::boolean[]
        ) as given (user_id, seq, is_known)
      ), gone as (
        delete from sync_records using old
        where sync_records.user_id = old.user_id and sync_records.seq / 64 = old.seq / 64 and sync_records.seq = old.seq
          and type = 'message'
      )
      update users set sync_forgotten = greatest(sync_forgotten, last.seq)
      from (select user_id, max(seq) as seq from old where is_known group by user_id) as last
      where users.id = last.user_id`);
    return old.length;
  });
}

/** Deletes expired idempotency records. */
export async function deleteOldResponses(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, daysBefore(now, LIMITS.idempotencyDays)));
}
