import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { DeskActName } from '#contract/desk-acts.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ageRequests, appeals, offices, reports, restrictions, users } from '#server/platform/db/schema.ts';
import type { AuditRow } from './audit.ts';

type Filter = (db: Db, rows: readonly AuditRow[]) => Promise<AuditRow[]>;

/** Keeps the acts whose target is among those found. @param toId the target, if it is not that of the act */
const byTarget =
  (
    find: (db: Db, ids: number[]) => Promise<{ id: number }[]>,
    toId: (row: AuditRow) => unknown = ({ targetId }) => targetId,
  ): Filter =>
  async (db, rows) => {
    const ids = rows.map(toId).filter((id) => typeof id === 'number');
    const found = new Set<unknown>((await find(db, ids)).map(({ id }) => id));
    return rows.filter((row) => found.has(toId(row)));
  };

const byRestriction = byTarget(
  (db, ids) =>
    db
      .select({ id: restrictions.actId })
      .from(restrictions)
      .where(and(inArray(restrictions.actId, ids), isNull(restrictions.liftedAt))),
  ({ id }) => id,
);
const { id: userId, state, role } = users;
const byRole = (expected: 'person' | 'moderator') =>
  byTarget((db, ids) =>
    db
      .select({ id: userId })
      .from(users)
      .where(and(inArray(userId, ids), eq(role, expected))),
  );

const byRequest = (expected: 'granted' | 'declined') =>
  byTarget((db, ids) =>
    db
      .select({ id: ageRequests.id })
      .from(ageRequests)
      .where(and(inArray(ageRequests.id, ids), eq(ageRequests.state, expected))),
  );

/** How to tell whether an act still has an effect that undoing it could end. Acts that are not here always have. */
const FILTERS: Partial<Record<DeskActName, Filter>> = {
  hide: byRestriction,
  suspend: byRestriction,
  'account.remove': byTarget((db, ids) =>
    db
      .select({ id: userId })
      .from(users)
      .where(and(inArray(userId, ids), eq(state, 'removing'))),
  ),
  'moderator.make': byRole('moderator'),
  'moderator.unmake': byRole('person'),
  'report.close': byTarget((db, ids) =>
    db
      .select({ id: reports.id })
      .from(reports)
      .where(and(inArray(reports.id, ids), eq(reports.state, 'closed'))),
  ),
  'appeal.answer': byTarget((db, ids) =>
    db
      .select({ id: appeals.id })
      .from(appeals)
      .where(and(inArray(appeals.id, ids), isNotNull(appeals.answeredAt))),
  ),
  'age.grant': byRequest('granted'),
  'age.decline': byRequest('declined'),
  'office.verify': byTarget(
    (db, ids) =>
      db
        .select({ id: offices.id })
        .from(offices)
        .where(and(inArray(offices.id, ids), isNull(offices.revokedAt))),
    ({ before }) => before?.['office'],
  ),
  'office.revoke': byTarget((db, ids) =>
    db
      .select({ id: offices.id })
      .from(offices)
      .where(and(inArray(offices.id, ids), isNotNull(offices.revokedAt))),
  ),
};

/** The ids of the acts that still have an effect: a suspension that has ended by itself has none, for example. */
export async function findInEffect(db: Db, rows: readonly AuditRow[]): Promise<ReadonlySet<number>> {
  const ids = new Set(rows.map(({ id }) => id));
  for (const [act, filter] of Object.entries(FILTERS)) {
    const own = rows.filter((row) => row.act === act);
    if (own.length === 0) continue;
    const kept = new Set((await filter(db, own)).map(({ id }) => id));
    for (const { id } of own) if (!kept.has(id)) ids.delete(id);
  }
  return ids;
}
