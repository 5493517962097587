import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import {
  countPending,
  DETAIL_HEADER,
  parsePending,
  PENDING_HEADER,
  type PendingDetail,
  STORE_HEADER,
  toHour,
} from '#contract/pending.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { devices } from '#server/platform/db/schema.ts';
import { invalid } from './errors.ts';

/** What a request says about changes that wait on its device. */
export interface PendingReport {
  count: number;
  /** Null if nothing waits, or if the app does not say more. */
  detail: PendingDetail | null;
  /** The header that `detail` was read from. */
  text: string | null;
}

/** Reads X-Pending and X-Pending-Detail. Null without a readable number; a detail that contradicts the number is ignored. */
export function readPending({ headers }: Pick<FastifyRequest, 'headers'>): PendingReport | null {
  const number = headers[PENDING_HEADER];
  if (typeof number !== 'string' || !/^\d{1,6}$/.test(number)) return null;
  const count = Number(number);
  const text = headers[DETAIL_HEADER];
  const detail = typeof text === 'string' && count > 0 ? parsePending(text) : null;
  if (detail === null || countPending(detail.kinds) !== count) return { count, detail: null, text: null };
  return { count, detail, text: text as string };
}

/** Whether the request comes from an app that begins with an empty store. */
export const hasNewStore = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers[STORE_HEADER] === 'new';

/** Reads the headers of a call that is about them. @throws 422 naming the header that cannot be read */
export function requirePending(request: Pick<FastifyRequest, 'headers'>): PendingReport {
  const report = readPending(request);
  if (report === null) throw invalid({ 'X-Pending': ['Say how many changes wait, as a number'] });
  if (request.headers[DETAIL_HEADER] !== undefined && report.detail === null)
    throw invalid({ 'X-Pending-Detail': ['Say the kinds and the hour as in edit=2,photo=1;since=2026-11-17T10'] });
  if (request.headers[STORE_HEADER] !== undefined && !hasNewStore(request))
    throw invalid({ 'X-Store': ['Use new, or leave it out'] });
  return report;
}

/**
 * Records what a device says about its waiting changes. The clock of the device may be wrong: its oldest change is not from the future, nor
 * from before the hour in which the device last said that nothing waits, and while some wait, the oldest of them can only become younger.
 */
export async function hearPending(
  db: Db,
  { deviceId, sessionId }: { deviceId: string; sessionId: number },
  { count, detail }: PendingReport,
  now: Date,
): Promise<void> {
  const claimed = detail && new Date(Math.min(detail.since, toHour(now).getTime())).toISOString();
  const earliest = sql`coalesce(${devices.oldestAt}, date_trunc('hour', ${devices.heardAt}, 'UTC'))`;
  // A store that was taken for lost still speaks.
  const isAlive = sql`${devices.lostFrom} = ${sessionId}`;
  await db
    .update(devices)
    .set({
      pending: count,
      kinds: detail?.kinds ?? null,
      oldestAt: claimed === null ? null : sql`greatest(${claimed}::timestamptz, ${earliest})`,
      heardAt: now,
      heardFrom: sessionId,
      lost: sql`case when ${isAlive} then null else ${devices.lost} end`,
      lostAt: sql`case when ${isAlive} then null else ${devices.lostAt} end`,
      lostFrom: sql`case when ${isAlive} then null else ${devices.lostFrom} end`,
    })
    .where(eq(devices.id, deviceId));
}
