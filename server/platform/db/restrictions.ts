import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import type { ReportTarget } from '#contract/report-targets.ts';
import type { Db } from './connect.ts';
import {
  auditionRequests,
  connections,
  media,
  messages,
  profiles,
  restrictions,
  sectionRows,
  users,
} from './schema.ts';

export type RestrictionRow = typeof restrictions.$inferSelect;

const isInForce = isNull(restrictions.liftedAt);

/** What the desk restricts of an account now: its suspension first, then what is hidden, oldest first. */
export const listRestrictions = (db: Db, userId: number): Promise<RestrictionRow[]> =>
  db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.userId, userId), isInForce))
    .orderBy(desc(restrictions.kind), asc(restrictions.id));

/** The restriction of a target that is in force; null if there is none. That of a person is their suspension. */
export async function findRestriction(db: Db, targetType: string, targetId: number): Promise<RestrictionRow | null> {
  const [found] = await db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.targetType, targetType), eq(restrictions.targetId, targetId), isInForce));
  return found ?? null;
}

const TARGETS: Record<ReportTarget, (db: Db, id: number) => Promise<number>> = {
  user: (db, id) => db.$count(users, eq(users.id, id)),
  profile: (db, id) => db.$count(profiles, eq(profiles.id, id)),
  media: (db, id) => db.$count(media, eq(media.id, id)),
  message: (db, id) => db.$count(messages, eq(messages.id, id)),
  feedback: (db, id) => db.$count(sectionRows, and(eq(sectionRows.id, id), eq(sectionRows.section, 'feedback'))),
  request: (db, id) => db.$count(connections, eq(connections.id, id)),
  audition: (db, id) => db.$count(auditionRequests, eq(auditionRequests.id, id)),
};

/** Whether what a restriction or a report is about is still there. Its owner may have deleted it. */
export const hasTarget = async (db: Db, type: ReportTarget, id: number): Promise<boolean> =>
  (await TARGETS[type](db, id)) > 0;

/** What the desk hides of an account and its owner has not deleted, as type and id: 'media:12'. */
export async function listHidden(db: Db, userId: number): Promise<string[]> {
  const hidden: string[] = [];
  for (const { kind, targetType, targetId } of await listRestrictions(db, userId)) {
    if (kind === 'hidden' && (await hasTarget(db, targetType as ReportTarget, targetId)))
      hidden.push(`${targetType}:${targetId}`);
  }
  return hidden;
}
