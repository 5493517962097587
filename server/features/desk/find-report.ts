import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { reports } from '#server/platform/db/schema.ts';

export type ReportRow = typeof reports.$inferSelect;

/** Why somebody who works at the desk cannot decide a report. */
export const IS_ABOUT_CALLER = 'This report is about you. Somebody else at the desk decides it';

export async function findReport(db: Db, id: number): Promise<ReportRow | null> {
  const [found] = await db.select().from(reports).where(eq(reports.id, id));
  return found ?? null;
}
