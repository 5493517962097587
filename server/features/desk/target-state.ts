import { and, eq } from 'drizzle-orm';
import type { DeskReportDetail } from '#contract/records/desk.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import { connections, media, messages, profiles, sectionRows, users } from '#server/platform/db/schema.ts';

const COUNTS: Record<ReportTarget, (db: Db, id: number) => Promise<number>> = {
  user: (db, id) => db.$count(users, eq(users.id, id)),
  profile: (db, id) => db.$count(profiles, eq(profiles.id, id)),
  media: (db, id) => db.$count(media, eq(media.id, id)),
  message: (db, id) => db.$count(messages, eq(messages.id, id)),
  feedback: (db, id) => db.$count(sectionRows, and(eq(sectionRows.id, id), eq(sectionRows.section, 'feedback'))),
  request: (db, id) => db.$count(connections, eq(connections.id, id)),
};

/** Whether the thing that was reported is still there, and which act hides it. */
export async function findTargetState(
  db: Db,
  type: ReportTarget,
  id: number,
): Promise<Pick<DeskReportDetail, 'target_state' | 'hidden_by'>> {
  if ((await COUNTS[type](db, id)) === 0) return { target_state: 'gone', hidden_by: null };
  // Nothing hides a person: their suspension is not about what was reported.
  const restriction = type === 'user' ? null : await findRestriction(db, type, id);
  return restriction === null
    ? { target_state: 'shown', hidden_by: null }
    : { target_state: 'hidden', hidden_by: String(restriction.actId) };
}
