/**
 * `npm run reports` or `npm run reports -- 2026-11-01`: prints the reports about people, all of them or since a day.
 * Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { ConfigError } from '#server/platform/config.ts';
import { listReportsSince } from '#server/features/people/reports.ts';
import { runTool } from './tool.ts';

function toDay(text: string | undefined): Date {
  const day = new Date(text ?? 0);
  if (Number.isNaN(day.getTime())) throw new ConfigError('Give a date: npm run reports -- 2026-11-01');
  return day;
}

const toWho = (person: { id: number; name: string; email: string } | null) =>
  person === null ? 'somebody whose account is gone' : `${person.name} <${person.email}> (${person.id})`;

await runTool(async (db) => {
  const found = await listReportsSince(db, toDay(process.argv[2]));
  const entries = found.map(({ id, createdAt, reason, text, by, whom }) =>
    [
      `#${id}  ${createdAt.toISOString()}  ${REPORT_REASONS[reason]}`,
      `  about ${toWho(whom)}`,
      `  by    ${toWho(by)}`,
      ...(text === null ? [] : text.split('\n').map((line) => `  | ${line}`)),
    ].join('\n'),
  );
  return entries.length === 0 ? 'No reports.' : entries.join('\n\n');
});
