/**
 * `npm run reports` or `npm run reports -- 2026-11-01`: prints the reports about people, all of them or since a day.
 * Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { ConfigError, readConfig } from '#server/platform/config.ts';
import { openForTools } from '#server/platform/db/open.ts';
import { listReportsSince } from '#server/features/people/reports.ts';

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };

function dayOf(text: string | undefined): Date {
  const day = new Date(text ?? 0);
  if (Number.isNaN(day.getTime())) throw new ConfigError('Give a date: npm run reports -- 2026-11-01');
  return day;
}

async function run(since: Date): Promise<string> {
  const database = await openForTools(readConfig(process.env), quiet);
  try {
    const found = await listReportsSince(database.db, since);
    const who = ({ id, name, email }: { id: number; name: string; email: string }) => `${name} <${email}> (${id})`;
    const entries = found.map(({ id, createdAt, reason, text, by, whom }) =>
      [
        `#${id}  ${createdAt.toISOString()}  ${REPORT_REASONS[reason]}`,
        `  about ${who(whom)}`,
        `  by    ${who(by)}`,
        ...(text === null ? [] : text.split('\n').map((line) => `  | ${line}`)),
      ].join('\n'),
    );
    return entries.length === 0 ? 'No reports.' : entries.join('\n\n');
  } finally {
    await database.close();
  }
}

try {
  console.log(await run(dayOf(process.argv[2])));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
