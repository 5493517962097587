import { and, desc, eq, inArray, lt, or, type SQL } from 'drizzle-orm';
import { DESK_ACTS, getActRule, type DeskActName } from '#contract/desk-acts.ts';
import type { AuditRecord } from '#contract/records/desk.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { audit } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import type { AuditRow } from './audit.ts';
import { findInEffect } from './in-effect.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How many entries a report shows. */
const LOG_LENGTH = 50;

export async function findAct(db: Db, id: number): Promise<AuditRow | null> {
  const [found] = await db.select().from(audit).where(eq(audit.id, id));
  return found ?? null;
}

/** Whether an act was undone. */
export const isUndone = async (db: Db, id: number): Promise<boolean> =>
  (await db.$count(audit, eq(audit.undoes, id))) > 0;

const isActName = (name: string): name is DeskActName => Object.hasOwn(DESK_ACTS, name);

/** The rule of an act in the log; null for an entry that is no act of its own. */
export const getRuleOf = ({ act }: Pick<AuditRow, 'act'>) => (isActName(act) ? getActRule(act) : null);
export const getActName = ({ act }: Pick<AuditRow, 'act'>): DeskActName | null => (isActName(act) ? act : null);

/** Whether an act may still be undone, by its rule alone. */
export function isUndoable(row: AuditRow, now: Date): boolean {
  const undo = getRuleOf(row)?.undo ?? null;
  if (undo === null) return false;
  return undo.days === null || now.getTime() < row.at.getTime() + undo.days * DAY_MS;
}

/** Presents entries of the log to somebody at the desk. */
export async function presentLog(db: Db, rows: readonly AuditRow[], caller: Caller, now: Date): Promise<AuditRecord[]> {
  if (rows.length === 0) return [];
  const undoings = await db
    .select({ id: audit.id, undoes: audit.undoes })
    .from(audit)
    .where(
      inArray(
        audit.undoes,
        rows.map(({ id }) => id),
      ),
    );
  const inEffect = await findInEffect(db, rows);
  const undoneBy = new Map(undoings.map(({ id, undoes }) => [undoes, id]));
  const text = (id: number | null) => (id === null ? null : String(id));
  return rows.map((row) => {
    const undone = undoneBy.get(row.id) ?? null;
    const mayUndo =
      row.targetUserId !== caller.userId && (caller.role === 'operator' || getRuleOf(row)?.by === 'moderator');
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      actor: row.actorName,
      act: row.act,
      target_type: row.targetType,
      target_id: String(row.targetId),
      target_user_id: text(row.targetUserId),
      report_id: text(row.reportId),
      reason: row.reason,
      words: row.words,
      undoes: text(row.undoes),
      undone_by: text(undone),
      can_undo: undone === null && mayUndo && isUndoable(row, now) && inEffect.has(row.id),
    };
  });
}

const list = (db: Db, which: SQL | undefined, limit: number) =>
  db.select().from(audit).where(which).orderBy(desc(audit.id)).limit(limit);

/** The newest entries that concern a person or a report. */
export const listLogOf = (db: Db, about: { userId: number; reportId?: number }): Promise<AuditRow[]> =>
  list(
    db,
    or(
      eq(audit.targetUserId, about.userId),
      about.reportId === undefined ? undefined : eq(audit.reportId, about.reportId),
    ),
    LOG_LENGTH,
  );

/** The log, newest first. @param before number of the entry before which it goes on */
export const listLog = (db: Db, before: number | null, limit: number): Promise<AuditRow[]> =>
  list(db, and(before === null ? undefined : lt(audit.id, before)), limit);
