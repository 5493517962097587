/**
 * A server process that does jobs of the kind `test.step`: it notes the start of each in the table `steps`, waits, and notes the end.
 * Settings: CONNECTION (JSON), DURATION_MS of each job.
 */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import * as z from 'zod/mini';
import type { Connection } from '#server/platform/db/pool.ts';
import { handleJob } from '#server/platform/jobs/handlers.ts';
import { defineJob } from '#server/platform/jobs/kinds.ts';
import { startJobs } from '#server/platform/jobs/worker.ts';
import { quietLog } from './quiet.ts';

const connection = JSON.parse(process.env.CONNECTION ?? '') as Connection;
const durationMs = Number(process.env.DURATION_MS);
const pool = new pg.Pool(connection);
const STEP = defineJob({ name: 'test.step', payload: z.object({ step: z.int() }), tries: 25 });

startJobs(connection, {
  handlers: [
    handleJob(STEP, async ({ step }) => {
      await pool.query('update steps set started = started + 1 where step = $1', [step]);
      await wait(durationMs);
      await pool.query('update steps set ended = ended + 1 where step = $1', [step]);
    }),
  ],
  log: quietLog,
  releaseIntervalMs: 200,
  pauseMs: 200,
});
