import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { DESK_CALLS, RESTRICTION_CALLS } from '#contract/desk-calls.ts';
import { actBody, appealBody, auditRecord, deskJob, restrictionRecord } from '#contract/records/desk.ts';
import { listRestrictions } from '#server/platform/db/restrictions.ts';
import { appeals } from '#server/platform/db/schema.ts';
import { notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { dropJob, listFailedJobs, retryJob } from '#server/platform/jobs/failed.ts';
import { asOperator, atDesk, byId, NO_CACHE, type ToActing } from './desk-route.ts';
import { presentLog } from './log.ts';
import { performAct, undoAct } from './perform.ts';
import { readingRoutes } from './reading-routes.ts';
import { findForAppeal, presentWithAppeals } from './restrictions.ts';

function actRoutes(app: FastifyInstance, toActing: ToActing): void {
  writeRoute(app, {
    endpoint: DESK_CALLS.act,
    summary: 'Does an act of the desk and logs it',
    access: atDesk,
    body: actBody,
    responses: { 201: withRecord(auditRecord) },
    handler: async ({ body, db: tx, changes, subject: caller, now, request }) => {
      const row = await performAct({ tx, changes }, toActing(request, caller, now), body);
      const [data] = await presentLog(tx, [row], caller, now);
      return created({ message: 'Done', data });
    },
  });

  writeRoute(app, {
    endpoint: DESK_CALLS.undo,
    summary: 'Undoes an act of the desk and logs that',
    access: atDesk,
    params: byId,
    responses: { 201: withRecord(auditRecord) },
    handler: async ({ params, db: tx, changes, subject: caller, now, request }) => {
      const row = await undoAct({ tx, changes }, toActing(request, caller, now), requireId(params.id, 'act'));
      const [data] = await presentLog(tx, [row], caller, now);
      return created({ message: 'Undone', data });
    },
  });
}

function jobRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: DESK_CALLS.jobs,
    summary: 'Background jobs that failed, oldest first',
    access: asOperator,
    responses: { 200: z.array(deskJob) },
    handler: async ({ db }) => {
      const jobs = await listFailedJobs(db);
      const shown = jobs.map(({ id, name, addedAt, tries, maxTries, nextAt, failure }) => ({
        id: String(id),
        name,
        added_at: addedAt.toISOString(),
        tries,
        max_tries: maxTries,
        next_at: nextAt?.toISOString() ?? null,
        failure,
      }));
      return ok(shown, NO_CACHE);
    },
  });

  const jobRoute = (endpoint: (typeof DESK_CALLS)['retryJob' | 'dropJob'], summary: string, act: typeof retryJob) =>
    writeRoute(app, {
      endpoint,
      summary,
      access: asOperator,
      params: byId,
      responses: { 200: messageOnly },
      handler: async ({ db, params }) => {
        if (!(await act(db, requireId(params.id, 'job')))) throw notFound('job');
        return ok({ message: act === retryJob ? 'The job is tried again now' : 'The job is removed' });
      },
    });
  jobRoute(DESK_CALLS.retryJob, 'Has a failed job tried again now', retryJob);
  jobRoute(DESK_CALLS.dropJob, 'Removes a failed job without doing it', dropJob);
}

/** What the people see whom the desk has restricted, and how they answer. */
function restrictionRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: RESTRICTION_CALLS.restrictions,
    summary: 'What the desk restricts of the caller’s, and why',
    access: requiredAccount(),
    responses: { 200: z.array(restrictionRecord) },
    handler: async ({ db, caller }) =>
      ok(await presentWithAppeals(db, await listRestrictions(db, caller.userId)), NO_CACHE),
  });

  writeRoute(app, {
    endpoint: RESTRICTION_CALLS.appeal,
    summary: 'Answers a decision of the desk; one at a time',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: appealBody,
    responses: { 201: messageOnly },
    handler: async ({ body, caller, db, now, request }) => {
      const id = body.restriction_id === undefined ? null : requireId(body.restriction_id, 'decision');
      const restriction = await findForAppeal(db, caller.userId, id);
      await app.deps.sharedLimiter.take(LIMIT.appeals, String(caller.userId));
      const [added] = await db
        .insert(appeals)
        .values({ restrictionId: restriction.id, text: body.text, at: now })
        .onConflictDoNothing()
        .returning({ id: appeals.id });
      if (added === undefined) throw unprocessable('You have written already. A person answers within three days');
      request.log.info({ appeal: added.id }, 'somebody appealed');
      return created({ message: 'Thank you. A person reads this and answers within three days.' });
    },
  });
}

/** The moderation desk, and what the people see whom it concerns. */
export function deskRoutes(app: FastifyInstance): void {
  const toActing: ToActing = (request, actor, now) => ({
    actor,
    now,
    requestId: request.id,
    limiter: app.deps.sharedLimiter,
    log: request.log,
  });
  readingRoutes(app, toActing);
  actRoutes(app, toActing);
  jobRoutes(app);
  restrictionRoutes(app);
}
