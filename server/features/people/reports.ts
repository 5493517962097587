import { asc, eq, gte } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { FastifyInstance } from 'fastify';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { reportBody } from '#contract/records/people.ts';
import { getRelation } from '#server/platform/access/viewer-role.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { reports, users } from '#server/platform/db/schema.ts';
import { created } from '#server/platform/http/response.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { freezeEvidence, isPerhapsMinor } from './evidence.ts';
import { hasBlocked, personExists } from './store.ts';

/** Reports of people to the desk. The reported person is not notified. */
export function reportRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: PEOPLE_CALLS.report,
    summary: 'Reports a person to the people who run the server',
    access: requiredAccount(),
    body: reportBody,
    responses: { 201: messageOnly },
    handler: async ({ body, caller, db, now, request }) => {
      const userId = parseId(body.user_id);
      if (userId === caller.userId) throw invalid({ user_id: ['This is you'] });
      if (userId === null || !(await personExists(db, userId))) throw notFound('person');
      // A blocked person can be reported. A person who has blocked the caller does not exist for them.
      const { viewerRole } = await getRelation(db, caller, userId);
      if (viewerRole === 'blocked' && !(await hasBlocked(db, caller.userId, userId))) throw notFound('person');
      const target = { type: body.target_type ?? 'user', id: body.target_id ?? body.user_id };
      const evidence = await freezeEvidence(db, caller, userId, target);
      await app.deps.sharedLimiter.take(LIMIT.reports, String(caller.userId));
      const [added] = await db
        .insert(reports)
        .values({
          reporterId: caller.userId,
          reportedId: userId,
          reason: body.reason,
          text: body.text ?? null,
          targetType: target.type,
          targetId: parseId(target.id),
          evidence,
          isAboutChild: await isPerhapsMinor(db, userId, now),
          createdAt: now,
        })
        .returning({ id: reports.id });
      request.log.warn({ report: added?.id, reason: body.reason }, 'a person was reported');
      return created({ message: 'Thank you. We’ll look into it.' });
    },
  });
}

/** The reports that this person submitted, for the export of their data. */
export async function listReportsBy(db: Db, reporterId: number) {
  const rows = await db.select().from(reports).where(eq(reports.reporterId, reporterId)).orderBy(asc(reports.id));
  return rows.map(({ reportedId, reason, text, targetType, createdAt }) => ({
    user_id: String(reportedId),
    about: targetType,
    reason,
    text,
    created_at: createdAt.toISOString(),
  }));
}

/** Reports since a point in time, oldest first, for the operators. */
export async function listReportsSince(db: Db, since: Date) {
  const [reporter, reported] = [alias(users, 'reporter'), alias(users, 'reported')];
  return db
    .select({
      id: reports.id,
      createdAt: reports.createdAt,
      reason: reports.reason,
      text: reports.text,
      by: { id: reporter.id, name: reporter.name, email: reporter.email },
      whom: { id: reported.id, name: reported.name, email: reported.email },
    })
    .from(reports)
    .leftJoin(reporter, eq(reporter.id, reports.reporterId))
    .leftJoin(reported, eq(reported.id, reports.reportedId))
    .where(gte(reports.createdAt, since))
    .orderBy(asc(reports.id));
}
