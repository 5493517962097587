/**
 * A server process that does the jobs of pushes.
 * Settings: CONNECTION (JSON), NOW, and those of pushes.
 */
import { jobHandlers } from '#server/jobs.ts';
import { openPushSender } from '#server/features/push/service.ts';
import { openInspector } from '#server/features/media/inspect/inspector.ts';
import { readConfig } from '#server/platform/config.ts';
import { connect } from '#server/platform/db/connect.ts';
import { Health } from '#server/platform/health/health.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import { startJobs } from '#server/platform/jobs/worker.ts';
import { createMetrics } from '#server/platform/metrics/metrics.ts';
import { diskFloor } from '#server/platform/storage/disk-floor.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { quietLog } from './quiet.ts';

const connection = JSON.parse(process.env.CONNECTION ?? '') as Connection;
const now = new Date(process.env.NOW ?? '');
const config = readConfig(process.env);
const { db } = connect(connection, quietLog);
const storage = await openStorage(config);
const parts = {
  ...{ config, db, storage, clock: { now: () => now }, metrics: createMetrics() },
  health: new Health({ connection, storage, log: quietLog }),
  inspector: openInspector({ log: quietLog }),
  floor: diskFloor({ config }),
};
const mailer = { send: async () => {}, close: () => {} };
const handlers = jobHandlers(parts, { mailer, pushSender: openPushSender(parts), home: 'https://callboard.example' });

startJobs(connection, {
  handlers: handlers.filter(({ name }) => name.startsWith('push.')),
  log: quietLog,
  releaseIntervalMs: 200,
  pauseMs: 200,
});
