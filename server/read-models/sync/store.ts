import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { installation, syncRecords, users } from '#server/platform/db/schema.ts';
import { unauthorized } from '#server/platform/http/errors.ts';

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
  if (found === undefined) throw unauthorized();
  return found;
}

/** Messages per conversation in an initial pull; devices fetch older ones on demand. */
export const FIRST_MESSAGES = 50;

interface Place {
  seq: number;
  /** Head of the feed when the initial pull began. */
  since: number;
}

/** One change, with ids as on the wire. */
export interface FeedRow {
  type: string;
  recordId: string;
  parent: string | null;
  seq: number;
  isDeleted: boolean;
}

/** Reads the feed after a position. An initial pull omits deletions and contains only the newest messages. */
export async function readFeedAfter(db: Db, userId: number, { seq, since }: Place, limit: number): Promise<FeedRow[]> {
  // One query for all conversations; a subquery per message takes seconds for long ones.
  const isNewest = sql`${syncRecords.recordId} in (
    select messages.id from conversations join messages on messages.conversation_id = conversations.id
      and messages.seq > conversations.last_seq - ${FIRST_MESSAGES}
    where conversations.first_id = ${userId} or conversations.second_id = ${userId}
  )`;
  const isMessage = eq(syncRecords.type, 'message');
  const conversationId = sql`select conversation_id from messages
    where sync_records.type = 'message' and messages.id = sync_records.record_id`;
  // The index in order holds rounded counters.
  const rounded = sql`(${syncRecords.seq} / 64)`;
  const rows = await db
    .select({
      type: syncRecords.type,
      recordId: syncRecords.recordId,
      parent: sql<unknown>`coalesce(${syncRecords.parent}, (${conversationId}))`,
      seq: syncRecords.seq,
      deletedAt: syncRecords.deletedAt,
    })
    .from(syncRecords)
    .where(
      and(
        eq(syncRecords.userId, userId),
        sql`${rounded} >= ${Math.floor(seq / 64)}`,
        gt(syncRecords.seq, seq),
        ...(seq === 0 ? [isNull(syncRecords.deletedAt)] : []),
        sql`case when ${isMessage} and ${syncRecords.seq} <= ${since} then ${isNewest} else true end`,
      ),
    )
    .orderBy(asc(rounded), asc(syncRecords.seq))
    .limit(limit);
  return rows.map(({ recordId, parent, deletedAt, ...row }) => ({
    ...row,
    recordId: String(recordId),
    parent: parent === null ? null : String(parent),
    isDeleted: deletedAt !== null,
  }));
}

/** Adds these types to those that the database can store in a feed. Types of records are data, so no migration lists new ones. */
export async function addRecordTypes(db: Db, types: readonly string[]): Promise<void> {
  const { rows } = await db.execute<{ type: string }>(sql`select unnest(enum_range(null::sync_type))::text as type`);
  const known = new Set(rows.map(({ type }) => type));
  for (const type of types) {
    // Another node may add the same type at the same time.
    if (!known.has(type)) await db.execute(sql.raw(`alter type sync_type add value if not exists '${type}'`));
  }
}
