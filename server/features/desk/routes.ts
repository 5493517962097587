import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DESK_CALLS, RESTRICTION_CALLS } from '#contract/desk-calls.ts';
import {
  actBody,
  appealBody,
  auditList,
  auditRecord,
  deskAppeal,
  deskJob,
  deskPersonDetail,
  deskReportDetail,
  deskReportList,
  restrictionRecord,
} from '#contract/records/desk.ts';
import { requireDesk, requireOperator } from '#server/platform/access/desk.ts';
import { appeals } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { decodeCursor, encodeCursor, pageQuery } from '#server/platform/http/paging.ts';
import { created, ok } from '#server/platform/http/response.ts';
import {
  optionalAccount,
  readRoute,
  requiredAccount,
  writeRoute,
  type GuardInput,
} from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { dropJob, listFailedJobs, retryJob } from '#server/platform/jobs/failed.ts';
import { listLog, listLogOf, presentLog } from './log.ts';
import { findDeskPerson } from './people.ts';
import { performAct, recordLook, undoAct, type Acting } from './perform.ts';
import {
  countReports,
  findReport,
  listAppeals,
  listReports,
  presentReportDetail,
  presentReports,
  reportPosition,
  toPosition,
} from './reports.ts';
import { findForAppeal, listInForce } from './restrictions.ts';

const byId = z.object({ id: z.string() });
const noCache = { 'cache-control': 'private, no-store' };

// Also without a token: the desk does not exist for anybody who does not work there.
const atDesk = optionalAccount(async ({ caller }: GuardInput<Caller | null, unknown>) => requireDesk(caller));
const asOperator = optionalAccount(async ({ caller }: GuardInput<Caller | null, unknown>) => requireOperator(caller));

const shareQuery = z.object({
  ...pageQuery.shape,
  state: z._default(z.enum(['open', 'children', 'closed'], { error: 'Use open, children or closed' }), 'open'),
});

function readingRoutes(app: FastifyInstance, toActing: ToActing): void {
  readRoute(app, {
    endpoint: DESK_CALLS.reports,
    summary: 'Reports, those about children first',
    access: atDesk,
    query: shareQuery,
    responses: { 200: deskReportList },
    handler: async ({ db, query, request }) => {
      const list = { db, request };
      const after = await decodeCursor(reportPosition, query.cursor, list);
      const rows = await listReports(db, query.state, after, query.limit + 1);
      const shown = rows.slice(0, query.limit);
      const last = shown.at(-1);
      const next_cursor = rows.length > shown.length && last ? await encodeCursor(list, toPosition(last)) : null;
      return ok({ data: await presentReports(db, shown), next_cursor, counts: await countReports(db) }, noCache);
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.report,
    summary: 'A report with what was frozen, the person and the log; the look at the person is logged',
    access: atDesk,
    params: byId,
    responses: { 200: deskReportDetail },
    handler: async ({ db, params, subject: caller, now, request }) => {
      const report = await findReport(db, requireId(params.id, 'report'));
      if (report === null) throw notFound('report');
      await recordLook(db, toActing(request, caller, now), { userId: report.reportedId, reportId: report.id });
      return ok(await presentReportDetail(db, report, caller, now), noCache);
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.person,
    summary: 'A person with the acts that concern them; the look is logged',
    access: atDesk,
    params: byId,
    responses: { 200: deskPersonDetail },
    handler: async ({ db, params, subject: caller, now, request }) => {
      const person = await findDeskPerson(db, requireId(params.id, 'person'));
      if (person === null) throw notFound('person');
      const userId = Number(person.id);
      await recordLook(db, toActing(request, caller, now), { userId, reportId: null });
      return ok({ person, log: await presentLog(db, await listLogOf(db, { userId }), caller, now) }, noCache);
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.appeals,
    summary: 'Appeals that wait for an answer, oldest first',
    access: atDesk,
    responses: { 200: z.array(deskAppeal) },
    handler: async ({ db, subject: caller }) => ok(await listAppeals(db, caller), noCache),
  });

  readRoute(app, {
    endpoint: DESK_CALLS.audit,
    summary: 'Every act at the desk, newest first',
    access: asOperator,
    query: pageQuery,
    responses: { 200: auditList },
    handler: async ({ db, query, request, subject: caller, now }) => {
      const list = { db, request };
      const before = await decodeCursor(z.int(), query.cursor, list);
      const rows = await listLog(db, before, query.limit + 1);
      const shown = rows.slice(0, query.limit);
      const last = shown.at(-1);
      const next_cursor = rows.length > shown.length && last ? await encodeCursor(list, last.id) : null;
      return ok({ data: await presentLog(db, shown, caller, now), next_cursor }, noCache);
    },
  });
}

type ToActing = (request: FastifyRequest, actor: Caller, now: Date) => Acting;

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
      return ok(shown, noCache);
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
    handler: async ({ db, caller }) => ok(await listInForce(db, caller.userId), noCache),
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
