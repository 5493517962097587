import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import {
  auditList,
  deskAgeRequestList,
  deskAppeal,
  deskOfficeList,
  deskPersonDetail,
  deskReportDetail,
  deskReportList,
  findPersonBody,
  foundPerson,
} from '#contract/records/desk.ts';
import type { Endpoint } from '#contract/section.ts';
import { listActiveOffices } from '#server/platform/access/offices.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { decodeCursor, encodeCursor, pageQuery } from '#server/platform/http/paging.ts';
import { ok } from '#server/platform/http/response.ts';
import { actionRoute, readRoute } from '#server/platform/http/route.ts';
import { findUserByEmail } from '#server/features/account/store.ts';
import { listAgeRequests } from './age-requests.ts';
import { asOperator, atDesk, byId, NO_CACHE, type ToActing } from './desk-route.ts';
import { findReport } from './find-report.ts';
import { listLog, listLogOf, presentLog } from './log.ts';
import { findDeskPerson } from './people.ts';
import { recordLook } from './perform.ts';
import {
  appealPosition,
  countReports,
  listAppeals,
  listReports,
  presentReportDetail,
  presentReports,
  reportPosition,
  toPosition,
} from './reports.ts';

const shareQuery = z.object({
  ...pageQuery.shape,
  state: z._default(z.enum(['open', 'children', 'closed'], { error: 'Use open, children or closed' }), 'open'),
});

/**
 * Cuts the row off that was read beyond the page.
 * @param toPlace where the list goes on after a row
 */
async function toPage<Row>(
  list: { db: Db; request: FastifyRequest },
  rows: Row[],
  limit: number,
  toPlace: (row: Row) => unknown,
): Promise<{ shown: Row[]; next_cursor: string | null }> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length && last !== undefined;
  return { shown, next_cursor: hasMore ? await encodeCursor(list, toPlace(last)) : null };
}

/** The lists of the desk. */
function listRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: DESK_CALLS.reports,
    summary: 'Reports, those about children first',
    access: atDesk,
    query: shareQuery,
    responses: { 200: deskReportList },
    handler: async ({ db, query, request, subject: caller }) => {
      const list = { db, request };
      const after = await decodeCursor(reportPosition, query.cursor, list);
      const rows = await listReports(db, query.state, after, query.limit + 1);
      const { shown, next_cursor } = await toPage(list, rows, query.limit, toPosition);
      return ok(
        { data: await presentReports(db, shown, caller), next_cursor, counts: await countReports(db) },
        NO_CACHE,
      );
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.appeals,
    summary: 'Appeals that wait for an answer, oldest first',
    access: atDesk,
    query: pageQuery,
    responses: { 200: z.array(deskAppeal) },
    handler: async ({ db, query, request, subject: caller }) => {
      const list = { db, request };
      const after = await decodeCursor(appealPosition, query.cursor, list);
      const rows = await listAppeals(db, caller, after, query.limit + 1);
      const { shown, next_cursor } = await toPage(list, rows, query.limit, ({ id }) => Number(id));
      return ok(shown, { ...NO_CACHE, ...(next_cursor !== null && { 'x-next-cursor': next_cursor }) });
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.audit,
    summary: 'Every act at the desk, newest first',
    access: asOperator,
    query: pageQuery,
    responses: { 200: auditList },
    handler: async ({ db, query, request, subject: caller, now }) => {
      const list = { db, request };
      const rows = await listLog(db, await decodeCursor(z.int(), query.cursor, list), query.limit + 1);
      const { shown, next_cursor } = await toPage(list, rows, query.limit, ({ id }) => id);
      return ok({ data: await presentLog(db, shown, caller, now), next_cursor }, NO_CACHE);
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.offices,
    summary: 'Verified casting offices, newest first',
    access: asOperator,
    query: pageQuery,
    responses: { 200: deskOfficeList },
    handler: async ({ db, query, request }) => {
      const list = { db, request };
      const rows = await listActiveOffices(db, await decodeCursor(z.int(), query.cursor, list), query.limit + 1);
      const { shown, next_cursor } = await toPage(list, rows, query.limit, ({ office }) => office.id);
      const data = shown.map(({ office, personName }) => ({
        id: String(office.id),
        name: office.name,
        domain: office.domain,
        since: office.verifiedAt.toISOString(),
        person: personName === null ? null : { id: String(office.userId), name: personName },
      }));
      return ok({ data, next_cursor }, NO_CACHE);
    },
  });

  readRoute(app, {
    endpoint: DESK_CALLS.ageRequests,
    summary: 'Requests to correct a date of birth, oldest first',
    access: asOperator,
    query: pageQuery,
    responses: { 200: deskAgeRequestList },
    handler: async ({ db, query, request, now }) => {
      const list = { db, request };
      const after = await decodeCursor(z.int(), query.cursor, list);
      const rows = await listAgeRequests(db, after, query.limit + 1, now);
      const { shown, next_cursor } = await toPage(list, rows, query.limit, ({ id }) => Number(id));
      return ok({ data: shown, next_cursor }, NO_CACHE);
    },
  });
}

interface LookRoute<T extends z.ZodMiniType> {
  endpoint: Endpoint;
  summary: string;
  what: string;
  response: T;
  /** Null if it does not exist. `present` runs after the look is logged, so that the log shows it. */
  find: (db: Db, id: number) => Promise<Looked<T> | null>;
}
interface Looked<T extends z.ZodMiniType> {
  about: { userId: number; reportId: number | null };
  present: (caller: Caller, now: Date) => Promise<z.input<T>>;
}

/** A read about one person, which is logged as a look at them. */
function lookRoute<T extends z.ZodMiniType>(
  app: FastifyInstance,
  toActing: ToActing,
  { endpoint, summary, what, response, find }: LookRoute<T>,
): void {
  readRoute(app, {
    endpoint,
    summary,
    access: atDesk,
    params: byId,
    responses: { 200: response },
    handler: async ({ db, params, subject: caller, now, request }) => {
      const found = await find(db, requireId(params.id, what));
      if (found === null) throw notFound(what);
      await recordLook(db, toActing(request, caller, now), found.about);
      return ok(await found.present(caller, now), NO_CACHE);
    },
  });
}

/** What somebody at the desk reads. Looks at people are logged. */
export function readingRoutes(app: FastifyInstance, toActing: ToActing): void {
  listRoutes(app);

  lookRoute(app, toActing, {
    endpoint: DESK_CALLS.report,
    summary: 'A report with what was frozen, the person and the log; the look at the person is logged',
    what: 'report',
    response: deskReportDetail,
    find: async (db, id) => {
      const report = await findReport(db, id);
      return (
        report && {
          about: { userId: report.reportedId, reportId: report.id },
          present: (caller, now) => presentReportDetail(db, report, caller, now),
        }
      );
    },
  });

  lookRoute(app, toActing, {
    endpoint: DESK_CALLS.person,
    summary: 'A person with the acts that concern them; the look is logged',
    what: 'person',
    response: deskPersonDetail,
    find: async (db, userId) => {
      const person = await findDeskPerson(db, userId);
      return (
        person && {
          about: { userId, reportId: null },
          present: async (caller, now) => ({
            person,
            log: await presentLog(db, await listLogOf(db, { userId }), caller, now),
          }),
        }
      );
    },
  });

  actionRoute(app, {
    endpoint: DESK_CALLS.findPerson,
    summary: 'Finds a person by their e-mail address; logged as a look at them',
    access: asOperator,
    body: findPersonBody,
    responses: { 200: foundPerson },
    handler: async ({ body, db, subject: caller, now, request }) => {
      const user = await findUserByEmail(db, body.email);
      if (user === null) throw invalid({ email: ['There is no account with this address'] });
      await recordLook(db, toActing(request, caller, now), { userId: user.id, reportId: null });
      return ok({ id: String(user.id) }, NO_CACHE);
    },
  });
}
