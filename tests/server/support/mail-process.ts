/** A server process that sends mails. Settings: CONNECTION (JSON), and SMTP_URL, MAIL_FROM and PUBLIC_URL as for the server. */
import { sendMail } from '#server/features/mail/send.ts';
import { SEND_MAIL } from '#server/features/mail/queue.ts';
import { openMailer } from '#server/features/mail/transport.ts';
import { systemClock } from '#server/platform/clock.ts';
import { readConfig } from '#server/platform/config.ts';
import { connect } from '#server/platform/db/connect.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import { handleJob } from '#server/platform/jobs/handlers.ts';
import { startJobs } from '#server/platform/jobs/worker.ts';
import { createMetrics } from '#server/platform/metrics/metrics.ts';
import { quietLog } from './quiet.ts';

const connection = JSON.parse(process.env.CONNECTION ?? '') as Connection;
const config = readConfig({
  SMTP_URL: process.env.SMTP_URL,
  MAIL_FROM: process.env.MAIL_FROM,
  PUBLIC_URL: process.env.PUBLIC_URL,
});
const parts = {
  db: connect(connection, quietLog).db,
  clock: systemClock,
  metrics: createMetrics(),
  mailer: openMailer(config),
  home: config.publicUrl ?? '',
};
startJobs(connection, {
  handlers: [handleJob(SEND_MAIL, ({ mail }) => sendMail(parts, mail))],
  log: quietLog,
  releaseIntervalMs: 200,
  pauseMs: 200,
});
