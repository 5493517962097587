import { and, asc, count, desc, eq, gt, inArray, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { DeskAppeal, DeskReport, DeskReportDetail, DeskReportList, Evidence } from '#contract/records/desk.ts';
import { getLookalikes } from '#server/platform/access/offices.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { appeals, reports, restrictions, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { countAgeRequests } from './age-requests.ts';
import { canAnswer } from './acts/reports.ts';
import type { ReportRow } from './find-report.ts';
import { findAct, listLogOf, presentLog } from './log.ts';
import { findDeskPerson } from './people.ts';
import { presentWithAppeals } from './restrictions.ts';
import { findTargetState } from './target-state.ts';

/** Which reports a list shows. */
export type ReportShare = 'open' | 'children' | 'closed';

/** Where a list goes on: after this report. */
export const reportPosition = z.object({ child: z.boolean(), at: z.string(), id: z.int() });
export type ReportPosition = z.infer<typeof reportPosition>;

export const toPosition = ({ isAboutChild, createdAt, id }: ReportRow): ReportPosition => ({
  child: isAboutChild,
  at: createdAt.toISOString(),
  id,
});

const SHARES: Record<ReportShare, SQL | undefined> = {
  open: eq(reports.state, 'open'),
  children: and(eq(reports.state, 'open'), eq(reports.isAboutChild, true)),
  closed: eq(reports.state, 'closed'),
};

/** Lists reports: those about children first, then the oldest; closed ones newest first. */
export async function listReports(
  db: Db,
  share: ReportShare,
  after: ReportPosition | null,
  limit: number,
): Promise<ReportRow[]> {
  const { isAboutChild, createdAt, id } = reports;
  if (share === 'closed') {
    return db
      .select()
      .from(reports)
      .where(and(SHARES.closed, after === null ? undefined : lt(id, after.id)))
      .orderBy(desc(id))
      .limit(limit);
  }
  const isLater =
    after === null
      ? undefined
      : sql`(not ${isAboutChild}, ${createdAt}, ${id}) > (${!after.child}, ${after.at}::timestamptz, ${after.id}::bigint)`;
  return db
    .select()
    .from(reports)
    .where(and(SHARES[share], isLater))
    .orderBy(desc(isAboutChild), asc(createdAt), asc(id))
    .limit(limit);
}

export async function countReports(db: Db): Promise<DeskReportList['counts']> {
  return {
    open: await db.$count(reports, SHARES.open),
    children: await db.$count(reports, SHARES.children),
    closed: await db.$count(reports, SHARES.closed),
    appeals: await db.$count(appeals, isNull(appeals.answeredAt)),
    age_requests: await countAgeRequests(db),
  };
}

/** Presents reports. Those about the caller do not say who filed them, what they wrote, nor which message or text it is about. */
export async function presentReports(db: Db, rows: readonly ReportRow[], caller: Caller): Promise<DeskReport[]> {
  if (rows.length === 0) return [];
  const reportedIds = [...new Set(rows.map(({ reportedId }) => reportedId))];
  const people = await getPersonSummaries(
    db,
    rows.flatMap(({ reportedId, reporterId }) => (reporterId === null ? [reportedId] : [reportedId, reporterId])),
  );
  const open = await db
    .select({ userId: reports.reportedId, count: count() })
    .from(reports)
    .where(and(inArray(reports.reportedId, reportedIds), SHARES.open))
    .groupBy(reports.reportedId);
  const lookalikes = await getLookalikes(db, reportedIds);
  const openOf = new Map(open.map(({ userId, count: total }) => [userId, total]));
  return rows.map((row) => {
    const person = people.get(row.reportedId);
    const isOwn = row.reportedId === caller.userId;
    const reporter = row.reporterId === null || isOwn ? undefined : people.get(row.reporterId);
    return {
      id: String(row.id),
      state: row.state,
      reason: row.reason,
      text: isOwn ? null : row.text,
      created_at: row.createdAt.toISOString(),
      is_about_child: row.isAboutChild,
      target_type: row.targetType,
      target_id: isOwn ? '' : String(row.targetId ?? row.reportedId),
      person: {
        id: String(row.reportedId),
        name: person?.name ?? row.evidence?.name ?? 'A former member',
        profile_photo: person?.profile_photo ?? null,
        is_gone: person === undefined,
      },
      is_about_caller: isOwn,
      reporter: reporter === undefined ? null : { id: String(row.reporterId), name: reporter.name },
      open_count: openOf.get(row.reportedId) ?? 0,
      is_lookalike: lookalikes.has(row.reportedId),
    };
  });
}

function presentEvidence({ evidence: stored, reportedId }: ReportRow, name: string, caller: Caller): Evidence {
  // A message, and those before it, would tell who filed the report.
  if (stored === null || reportedId === caller.userId) return { name, words: null, file: null, before: [] };
  const { file } = stored;
  return {
    ...stored,
    file: file && { path: storagePath(file.key), media_type: file.media_type, sha256: file.sha256 },
  };
}

/** A report with all that a decision needs. */
export async function presentReportDetail(
  db: Db,
  row: ReportRow,
  caller: Caller,
  now: Date,
): Promise<DeskReportDetail> {
  const others = await db
    .select()
    .from(reports)
    .where(and(eq(reports.reportedId, row.reportedId), SHARES.open, ne(reports.id, row.id)))
    .orderBy(desc(reports.id))
    .limit(20);
  const [report, ...rest] = await presentReports(db, [row, ...others], caller);
  if (report === undefined) throw new Error(`Report ${row.id} was not presented`);
  return {
    ...report,
    ...(await findTargetState(db, row.targetType, row.targetId ?? row.reportedId)),
    evidence: presentEvidence(row, report.person.name, caller),
    context: await findDeskPerson(db, row.reportedId),
    others: rest,
    log: await presentLog(db, await listLogOf(db, { userId: row.reportedId, reportId: row.id }), caller, now),
  };
}

/** Where the list of appeals goes on: after this one. */
export const appealPosition = z.int();

/** Appeals that wait for an answer, oldest first. */
export async function listAppeals(db: Db, caller: Caller, after: number | null, limit: number): Promise<DeskAppeal[]> {
  const rows = await db
    .select({ appeal: appeals, restriction: restrictions, name: users.name })
    .from(appeals)
    .innerJoin(restrictions, eq(restrictions.id, appeals.restrictionId))
    .innerJoin(users, eq(users.id, restrictions.userId))
    .where(and(isNull(appeals.answeredAt), after === null ? undefined : gt(appeals.id, after)))
    .orderBy(asc(appeals.id))
    .limit(limit);
  const shown = await presentWithAppeals(
    db,
    rows.map(({ restriction }) => restriction),
  );
  const list: DeskAppeal[] = [];
  for (const [at, { appeal, restriction, name }] of rows.entries()) {
    const decision = await findAct(db, restriction.actId);
    list.push({
      id: String(appeal.id),
      text: appeal.text,
      at: appeal.at.toISOString(),
      person: { id: String(restriction.userId), name },
      restriction: shown[at]!,
      can_answer: await canAnswer(db, caller.userId, {
        userId: restriction.userId,
        decidedBy: decision?.actorId ?? null,
      }),
    });
  }
  return list;
}

/** How long a closed report and its evidence are kept. */
const RETENTION_MS = 365 * 24 * 60 * 60_000;

/** Deletes reports that were closed long ago, with their evidence. */
export async function deleteOldReports(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, reports, lt(reports.closedAt, new Date(now.getTime() - RETENTION_MS)));
}
