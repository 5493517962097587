import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { RestrictionRecord } from '#contract/records/desk.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction, listRestrictions, type RestrictionRow } from '#server/platform/db/restrictions.ts';
import { appeals, restrictions } from '#server/platform/db/schema.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';

/** Adds a restriction. @throws 409 if there is one of this target already */
export async function addRestriction(tx: Db, restriction: typeof restrictions.$inferInsert): Promise<RestrictionRow> {
  const [added] = await tx.insert(restrictions).values(restriction).onConflictDoNothing().returning();
  if (added === undefined) throw conflict('Somebody else at the desk has just done this');
  return added;
}

/** Ends the restriction that an act made. @throws 409 if it has ended */
export async function liftRestriction(tx: Db, actId: number, now: Date): Promise<RestrictionRow> {
  const [lifted] = await tx
    .update(restrictions)
    .set({ liftedAt: now })
    .where(and(eq(restrictions.actId, actId), isNull(restrictions.liftedAt)))
    .returning();
  if (lifted === undefined) throw conflict('This has ended already, so there is nothing to undo');
  return lifted;
}

/** The restriction that the person appeals against: the named one, or their suspension. @throws 404 */
export async function findForAppeal(db: Db, userId: number, id: number | null): Promise<RestrictionRow> {
  const found =
    id === null
      ? await findRestriction(db, 'user', userId)
      : (await listRestrictions(db, userId)).find((each) => each.id === id);
  if (found == null) throw notFound('decision');
  return found;
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
