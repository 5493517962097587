import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { RestrictionRecord } from '#contract/records/desk.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { appeals, restrictions } from '#server/platform/db/schema.ts';
import { notFound, unprocessable } from '#server/platform/http/errors.ts';

export type RestrictionRow = typeof restrictions.$inferSelect;

/** Adds a restriction. @throws 422 if there is one of this target already */
export async function addRestriction(tx: Db, restriction: typeof restrictions.$inferInsert): Promise<RestrictionRow> {
  const [added] = await tx.insert(restrictions).values(restriction).onConflictDoNothing().returning();
  if (added === undefined) throw unprocessable('Somebody else at the desk has just done this');
  return added;
}

/** Ends the restriction that an act made. @throws 422 if it has ended */
export async function liftRestriction(tx: Db, actId: number, now: Date): Promise<RestrictionRow> {
  const [lifted] = await tx
    .update(restrictions)
    .set({ liftedAt: now })
    .where(and(eq(restrictions.actId, actId), isNull(restrictions.liftedAt)))
    .returning();
  if (lifted === undefined) throw unprocessable('This has ended already');
  return lifted;
}

/** The restriction that the person appeals against: the named one, or their suspension. @throws 404 */
export async function findForAppeal(db: Db, userId: number, id: number | null): Promise<RestrictionRow> {
  const which = id === null ? eq(restrictions.kind, 'suspended') : eq(restrictions.id, id);
  const [found] = await db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.userId, userId), isNull(restrictions.liftedAt), which));
  if (found === undefined) throw notFound('decision');
  return found;
}

/** What restricts a person now, a suspension first, as they see it. */
export async function listInForce(db: Db, userId: number): Promise<RestrictionRecord[]> {
  const rows = await db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.userId, userId), isNull(restrictions.liftedAt)))
    .orderBy(desc(restrictions.kind), asc(restrictions.id));
  return presentWithAppeals(db, rows);
}

const presentRestriction = (row: RestrictionRow, appeal: typeof appeals.$inferSelect | null): RestrictionRecord => ({
  id: String(row.id),
  kind: row.kind,
  target_type: row.targetType,
  target_id: String(row.targetId),
  reason: row.reason,
  words: row.words,
  since: row.createdAt.toISOString(),
  until: row.until?.toISOString() ?? null,
  appeal: appeal && {
    text: appeal.text,
    at: appeal.at.toISOString(),
    answer: appeal.answer,
    answered_at: appeal.answeredAt?.toISOString() ?? null,
  },
});

/** Presents restrictions with the newest appeal against each. */
export async function presentWithAppeals(db: Db, rows: readonly RestrictionRow[]): Promise<RestrictionRecord[]> {
  if (rows.length === 0) return [];
  const newest = await db
    .selectDistinctOn([appeals.restrictionId])
    .from(appeals)
    .where(
      inArray(
        appeals.restrictionId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(appeals.restrictionId, desc(appeals.id));
  const appealOf = new Map(newest.map((appeal) => [appeal.restrictionId, appeal]));
  return rows.map((row) => presentRestriction(row, appealOf.get(row.id) ?? null));
}

/** Whether a target is restricted now. */
export const hasForce = async (db: Db, targetType: string, targetId: number): Promise<boolean> =>
  (await db.$count(
    restrictions,
    and(eq(restrictions.targetType, targetType), eq(restrictions.targetId, targetId), isNull(restrictions.liftedAt)),
  )) > 0;
