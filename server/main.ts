import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './platform/config.ts';
import { openDatabase } from './platform/db/open.ts';
import { CROWD } from './demo/crowd.ts';
import { DEMO_SIGN_IN, seedCrowd, seedDemo } from './demo/seed.ts';
import { systemClock } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import { startJobs } from './platform/jobs/worker.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { serveMetrics } from './platform/metrics/serve.ts';
import { openLog } from './platform/log.ts';
import { openStorage } from './platform/storage/open.ts';
import { describeFailure } from './platform/jobs/failure.ts';
import { protectKnownMinors } from './features/account/age.ts';
import { openMailer } from './features/mail/transport.ts';
import { openPushSender } from './features/push/service.ts';
import { clearStagingFolder } from './features/media/spool.ts';
import { jobHandlers } from './jobs.ts';
import { addRecordTypes } from './read-models/sync/store.ts';

const SHUTDOWN_TIMEOUT_MS = 15_000;
const HOUR_MS = 60 * 60_000;
/** Upper bound on the duration of a request. */
const MAX_REQUEST_MS = HOUR_MS;

/** Returns a URL that a browser can open; wildcard addresses become localhost. */
function toBrowserUrl(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl;
  const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Shuts down on SIGTERM or SIGINT, and exits after a timeout. Every part tolerates being killed.
 * @param drainWaitMs how long `stop` may take beyond that
 */
function stopOnSignals(stop: () => Promise<void>, drainWaitMs: number): void {
  const end = () => {
    const killTimer = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS + drainWaitMs);
    void stop().then(() => {
      clearTimeout(killTimer);
      process.exit(0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
}

/** Delay before creating the rest of the demo, so that the first page load is not slowed down. */
const CROWD_DELAY_MS = 3000;

/** Creates the rest of the demo while the server is running. */
function fillDemo(app: FastifyInstance, pool: Pool, log: Log): { stop: () => Promise<void> } {
  const control = new AbortController();
  const { signal } = control;
  const crowd = wait(CROWD_DELAY_MS, undefined, { signal, ref: false })
    .then(() => seedCrowd(app, pool, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) log.warn(describeFailure(error), 'the demo is incomplete');
    });
  return {
    stop: () => {
      control.abort();
      return crowd;
    },
  };
}

/** Removes the temporary files of killed servers, at the start and every hour. Each node does it, because they are on its own disk. */
function clearStagingRegularly({ dataDir }: Config, log: Log): void {
  const clear = () =>
    clearStagingFolder(dataDir, new Date(Date.now() - MAX_REQUEST_MS)).catch((error: unknown) =>
      log.warn(describeFailure(error), 'temporary files of an earlier start remain'),
    );
  void clear();
  setInterval(() => void clear(), HOUR_MS).unref();
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const format = config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
  const log = openLog(config, format);
  // A library that runs in the background may leave a failure unhandled, for example when the database ends while it starts. That must not
  // end the requests of everybody.
  process.on('unhandledRejection', (error) => log.error(describeFailure(error), 'a background task failed'));
  /** Prints for a person at the terminal; machines read the log. */
  const print = (text: string) => format === 'text' && console.log(text);
  print(config.databaseUrl ? 'Connecting to the database…' : `Starting the database in ${config.dataDir}…`);
  const metrics = createMetrics();
  const database = await openDatabase(config, log, (seconds) => metrics.dbWaitSeconds.observe(seconds));
  metrics.readers.pool = () => database.pool;
  const closers: (() => Promise<unknown>)[] = [database.close];
  let isStopping = false;
  stopOnSignals(async () => {
    isStopping = true;
    for (const close of closers.reverse()) await close();
  }, config.drainWaitMs);

  const storage = await openStorage(config);
  const { db, connection, listen } = database;
  const app = await buildApp({ config, db, connection, listen, clock: systemClock, storage, metrics, log });
  await addRecordTypes(db, [...app.mirror.keys()]);
  // Before anybody is answered: an earlier release may not have known that somebody is under 18.
  await protectKnownMinors(db, systemClock.now());
  if (config.seedDemo) print('Getting the demo ready…');
  const seeding = config.seedDemo ? seedDemo(app) : Promise.resolve(false);
  // Wait for the demo account (a second or two), so that the next start finds it complete.
  closers.push(() => seeding.catch(() => false));
  const isDemo = await seeding;
  if (isStopping) return;

  await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') throw error;
    throw new ConfigError(
      `Cannot listen on ${config.host}:${config.port} (${error.code}); set PORT and HOST to others`,
    );
  });
  clearStagingRegularly(config, log);
  // Fastify logs its address a moment later; print the URL last.
  await nextTurn();
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  const home = toBrowserUrl(config, port);
  const mailer = openMailer(config, format === 'text' ? { print } : {});
  const pushSender = openPushSender({ config, db });
  const handlers = jobHandlers(app.deps, { mailer, pushSender, home });
  const jobs = config.runsJobs ? startJobs(connection, { handlers, metrics, log }) : { stop: async () => {} };
  if (config.metrics) {
    const tasks = handlers.map(({ name }) => name);
    const served = await serveMetrics(config.metrics, metrics, { connection, tasks, log });
    closers.push(served.close);
    print(`Metrics: http://${config.metrics.host}:${served.port}/metrics`);
  }
  closers.push(async () => {
    await Promise.all([app.close(), jobs.stop()]);
    mailer.close();
  });
  if (isDemo) {
    const crowd = fillDemo(app, database.pool, log);
    // Stop before the app closes, because it calls the app.
    closers.push(crowd.stop);
    print(`${CROWD.length} more demo people join within a minute or so.`);
    console.log(`Demo sign-in: ${DEMO_SIGN_IN.email} with the password ${DEMO_SIGN_IN.password}`);
  }
  // First of all, tell the proxy that this server stops, and serve everything until it sends requests elsewhere.
  closers.push(async () => {
    app.deps.health.drain();
    await wait(config.drainWaitMs);
  });
  print('Callboard is running. Stop it with Ctrl+C. Open:');
  console.log(home);
}

run().catch((error: unknown) => {
  // A configuration error is reported in one line; anything else is a bug and is printed with its stack.
  console.error(error instanceof ConfigError ? `Callboard cannot start: ${error.message}` : error);
  process.exit(1);
});
