import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { appeals, reports, restrictions } from '#server/platform/db/schema.ts';
import { conflict, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { countOthersAtDesk } from '../people.ts';
import { IS_ABOUT_CALLER } from '../find-report.ts';
import { findAct } from '../log.ts';
import type { Act } from './kind.ts';

async function lockReport(tx: Db, id: number) {
  const [report] = await tx.select().from(reports).where(eq(reports.id, id)).for('update');
  if (report === undefined) throw notFound('report');
  return report;
}

/** Closes a report, whatever was decided about it. */
export const closeReport: Act = {
  async apply({ tx, actor, target, now }) {
    const report = await lockReport(tx, target.id);
    if (report.reportedId === actor.userId) throw unprocessable(IS_ABOUT_CALLER);
    if (report.state === 'closed') throw conflict('Somebody else at the desk has just closed this report');
    await tx
      .update(reports)
      .set({ state: 'closed', closedBy: actor.userId, closedAt: now })
      .where(eq(reports.id, report.id));
    return { userId: report.reportedId };
  },

  async undo({ tx, done }) {
    const report = await lockReport(tx, done.targetId);
    if (report.state === 'open') throw conflict('This report is open already');
    await tx.update(reports).set({ state: 'open', closedBy: null, closedAt: null }).where(eq(reports.id, report.id));
  },
};

async function lockAppeal(tx: Db, id: number) {
  const [found] = await tx
    .select({ appeal: appeals, restriction: restrictions })
    .from(appeals)
    .innerJoin(restrictions, eq(restrictions.id, appeals.restrictionId))
    .where(eq(appeals.id, id))
    .for('update', { of: appeals });
  if (found === undefined) throw notFound('appeal');
  return found;
}

/** Whether somebody may answer an appeal: never their own, nor one against their own decision where somebody else could. */
export async function canAnswer(
  db: Db,
  callerId: number,
  { userId, decidedBy }: { userId: number; decidedBy: number | null },
): Promise<boolean> {
  if (userId === callerId) return false;
  return decidedBy !== callerId || (await countOthersAtDesk(db, callerId)) === 0;
}

/** Answers an appeal. The decision itself is taken back by undoing it. */
export const answerAppeal: Act = {
  async apply({ tx, actor, target, words, now }) {
    const { appeal, restriction } = await lockAppeal(tx, target.id);
    if (appeal.answeredAt !== null) throw conflict('Somebody else at the desk has just answered');
    const decision = await findAct(tx, restriction.actId);
    const about = { userId: restriction.userId, decidedBy: decision?.actorId ?? null };
    if (!(await canAnswer(tx, actor.userId, about))) {
      throw unprocessable('You are part of this. Somebody else at the desk has to answer');
    }
    await tx.update(appeals).set({ answeredAt: now, answer: words }).where(eq(appeals.id, appeal.id));
    return { userId: restriction.userId };
  },

  async undo({ tx, done }) {
    const { appeal } = await lockAppeal(tx, done.targetId);
    // A newer appeal may be open by now; there is only one at a time.
    const { restrictionId, id } = appeal;
    const newer = await tx.$count(appeals, and(eq(appeals.restrictionId, restrictionId), gt(appeals.id, id)));
    if (newer > 0) throw conflict('The person has written again. Answer that');
    await tx.update(appeals).set({ answeredAt: null, answer: null }).where(eq(appeals.id, appeal.id));
  },
};
