import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Mark } from '#contract/records/tapes.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  auditionRequests,
  auditionTapes,
  castingMembers,
  castingRoles,
  tapeMarks,
} from '#server/platform/db/schema.ts';

/** A mark with its author, if they still belong to the project. */
type MarkRow = typeof tapeMarks.$inferSelect & { requestId: number; authorId: number | null };

export const presentMark = (row: MarkRow): Mark => ({
  id: String(row.id),
  tape_id: String(row.tapeId),
  request_id: String(row.requestId),
  author_id: row.authorId === null ? null : String(row.authorId),
  grade: row.grade,
  text: row.text,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

/** Marks that match, oldest first: all, or those with these ids. @param whose may also ask for columns of the requests */
export async function listMarks(db: Db, whose: SQL | undefined, ids?: number[]): Promise<MarkRow[]> {
  const rows = await db
    .select({
      mark: tapeMarks,
      requestId: auditionTapes.requestId,
      isThere: sql<boolean>`${tapeMarks.userId} = ${auditionRequests.userId} or ${castingMembers.state} = 'active'`,
    })
    .from(tapeMarks)
    .innerJoin(auditionTapes, eq(auditionTapes.id, tapeMarks.tapeId))
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .leftJoin(
      castingMembers,
      and(eq(castingMembers.projectId, castingRoles.projectId), eq(castingMembers.userId, tapeMarks.userId)),
    )
    .where(and(whose, ids && inArray(tapeMarks.id, ids)))
    .orderBy(asc(tapeMarks.id));
  return rows.map(({ mark, requestId, isThere }) => ({ ...mark, requestId, authorId: isThere ? mark.userId : null }));
}

interface Marking {
  tapeId: number;
  authorId: number;
  /** What is absent stays. */
  said: { grade?: Mark['grade'] | undefined; text?: string | null | undefined };
  now: Date;
}

/** Writes what somebody thinks of a tape whose request is locked. @returns the id of the mark */
export async function putMark(tx: Db, { tapeId, authorId, said, now }: Marking): Promise<number> {
  const [before] = await tx
    .select()
    .from(tapeMarks)
    .where(and(eq(tapeMarks.tapeId, tapeId), eq(tapeMarks.userId, authorId)));
  const { grade = before?.grade ?? null, text = before?.text ?? null } = said;
  if (before === undefined) {
    const values = { tapeId, userId: authorId, grade, text, createdAt: now, updatedAt: now };
    const [added] = await tx.insert(tapeMarks).values(values).returning({ id: tapeMarks.id });
    return added!.id;
  }
  if (grade !== before.grade || text !== before.text) {
    const next = { grade, text, version: before.version + 1, updatedAt: now };
    await tx.update(tapeMarks).set(next).where(eq(tapeMarks.id, before.id));
  }
  return before.id;
}
