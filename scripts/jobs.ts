/**
 * `npm run jobs`: lists the background jobs that failed. `npm run jobs -- --retry ID` has one tried again now, `npm run jobs -- --drop ID`
 * removes it without doing it. Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { parseArgs } from 'node:util';
import { ConfigError } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { dropJob, listFailedJobs, retryJob, type FailedJob } from '#server/platform/jobs/failed.ts';
import { runTool } from './tool.ts';

function describe({ id, name, addedAt, tries, maxTries, nextAt, failure }: FailedJob): string {
  const next = nextAt === null ? 'given up' : `tried again at ${nextAt.toISOString()}`;
  return `#${id}  ${name}  added ${addedAt.toISOString()}\n  ${tries} of ${maxTries} tries, ${next}\n  ${failure}`;
}

async function list(db: Db): Promise<string> {
  const failed = await listFailedJobs(db);
  return failed.length === 0 ? 'No failed jobs.' : failed.map(describe).join('\n\n');
}

function toId(text: string): number {
  if (!/^\d{1,18}$/.test(text)) throw new ConfigError('Give the number of a job, as npm run jobs lists it');
  return Number(text);
}

await runTool(async (db) => {
  const { values } = parseArgs({ options: { retry: { type: 'string' }, drop: { type: 'string' } } });
  const [act, text] =
    values.retry === undefined ? ([dropJob, values.drop] as const) : ([retryJob, values.retry] as const);
  if (text === undefined) return list(db);
  const id = toId(text);
  if (!(await act(db, id))) throw new ConfigError(`There is no waiting job #${id}; it may be running or done`);
  return act === retryJob ? `Job #${id} is tried again now.` : `Job #${id} is removed.`;
});
