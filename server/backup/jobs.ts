import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import * as z from 'zod/mini';

/** A waiting job as `add_job` takes it. The tables of the queue are the library's own, and change with its version. */
const jobLine = z.object({
  task: z.string(),
  payload: z.unknown(),
  queue: z.nullable(z.string()),
  run_at: z.string(),
  max_attempts: z.int(),
  key: z.nullable(z.string()),
  priority: z.int(),
  flags: z.nullable(z.array(z.string())),
});
export type JobLine = z.infer<typeof jobLine>;

const PAGE_SIZE = 5000;
const getJobsPath = (folder: string) => path.join(folder, 'jobs.ndjson');

/** The jobs that wait, run or have failed, oldest first. */
export async function* readJobLines(client: pg.Client): AsyncGenerator<JobLine> {
  const { rows: found } = await client.query<{ table: string | null }>(
    `select to_regclass('graphile_worker._private_jobs')::text as table`,
  );
  // A database from before the queue.
  if (found[0]?.table == null) return;
  let last = '0';
  for (;;) {
    const { rows } = await client.query<JobLine & { id: string }>(
      `select job.id, identifier as task, payload, queue_name as queue, run_at::text, max_attempts, key, priority,
         array(select jsonb_object_keys(flags)) as flags
       from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id
       left join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id
       where job.id > $1 order by job.id limit ${PAGE_SIZE}`,
      [last],
    );
    for (const { id, flags, ...line } of rows) {
      yield { ...line, flags: flags?.length ? flags : null };
      last = id;
    }
    if (rows.length < PAGE_SIZE) return;
  }
}

export async function writeJobLines(
  folder: string,
  jobs: AsyncIterable<JobLine>,
): Promise<{ count: number; sha256: string }> {
  const hash = createHash('sha256');
  let count = 0;
  async function* lines() {
    for await (const job of jobs) {
      const line = `${JSON.stringify(job)}\n`;
      hash.update(line);
      count += 1;
      yield line;
    }
  }
  await pipeline(
    Readable.from(lines()),
    createWriteStream(getJobsPath(folder), { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { count, sha256: hash.digest('hex') };
}

export async function digestJobLines(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(getJobsPath(folder)), hash);
  return hash.digest('hex');
}

/** Jobs that speak to people. They were done since the backup was made, or are about something long past. */
const isDropped = ({ task }: JobLine) => /^(mail|push)\./.test(task);

/** Adds the jobs of a backup to the queue, except those that speak to people. @returns how many of each */
export async function addJobLines(client: pg.Client, folder: string): Promise<{ added: number; dropped: number }> {
  const count = { added: 0, dropped: 0 };
  for await (const text of createInterface({ input: createReadStream(getJobsPath(folder)), crlfDelay: Infinity })) {
    const job = jobLine.parse(JSON.parse(text));
    if (isDropped(job)) {
      count.dropped += 1;
      continue;
    }
    await client.query(
      `select from graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => $4::timestamptz, max_attempts => $5,
         job_key => $6, priority => $7, flags => $8::text[])`,
      [
        job.task,
        JSON.stringify(job.payload),
        job.queue,
        job.run_at,
        job.max_attempts,
        job.key,
        job.priority,
        job.flags,
      ],
    );
    count.added += 1;
  }
  return count;
}
