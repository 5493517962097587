import type { DeskReportDetail } from '#contract/records/desk.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction, hasTarget } from '#server/platform/db/restrictions.ts';

/** Whether the thing that was reported is still there, and which act hides it. */
export async function findTargetState(
  db: Db,
  type: ReportTarget,
  id: number,
): Promise<Pick<DeskReportDetail, 'target_state' | 'hidden_by'>> {
  if (!(await hasTarget(db, type, id))) return { target_state: 'gone', hidden_by: null };
  // Nothing hides a person: their suspension is not about what was reported.
  const restriction = type === 'user' ? null : await findRestriction(db, type, id);
  return restriction === null
    ? { target_state: 'shown', hidden_by: null }
    : { target_state: 'hidden', hidden_by: String(restriction.actId) };
}
