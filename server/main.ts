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
import { runJobs } from './platform/jobs.ts';
import { openLog } from './platform/log.ts';
import { openStorage } from './platform/storage/open.ts';
import { cleanupJobs } from './cleanup-jobs.ts';

const SHUTDOWN_TIMEOUT_MS = 15_000;
const CLEANUP_INTERVAL_MS = 60 * 60_000;

/** Where to point a browser at. An address that means every interface is no place to go to. */
function toBrowserUrl(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl;
  const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Ends what runs when it is asked to. What does not end by itself is left behind: every part bears being killed. */
function stopOnSignals(stop: () => Promise<void>): void {
  const end = () => {
    const killTimer = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS);
    void stop().then(() => {
      clearTimeout(killTimer);
      process.exit(0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
}

/** Lets whoever opens the first page go first. */
const CROWD_DELAY_MS = 3000;

/** Makes the rest of the demo while the server answers. */
function fillDemo(app: FastifyInstance, pool: Pool, log: Log): { stop: () => Promise<void> } {
  const control = new AbortController();
  const { signal } = control;
  const crowd = wait(CROWD_DELAY_MS, undefined, { signal, ref: false })
    .then(() => seedCrowd(app, pool, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'the demo is incomplete');
    });
  return {
    stop: () => {
      control.abort();
      return crowd;
    },
  };
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const format = config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
  const log = openLog(config, format);
  /** For the person at the terminal; a machine reads the log. */
  const print = (text: string) => format === 'text' && console.log(text);
  print(config.databaseUrl ? 'Connecting to the database…' : `Starting the database in ${config.dataDir}…`);
  const database = await openDatabase(config, log);
  const closers: (() => Promise<unknown>)[] = [database.close];
  let isStopping = false;
  stopOnSignals(async () => {
    isStopping = true;
    for (const close of closers.reverse()) await close();
  });

  const storage = await openStorage(config);
  const app = await buildApp({ config, db: database.db, listen: database.listen, clock: systemClock, storage, log });
  const jobs = cleanupJobs({ config, db: database.db, storage, clock: systemClock });
  // A little less than the time between two rounds: no timer is exact, and what is not due waits for the next round.
  const runCleanup = () => runJobs(jobs, 0.9 * CLEANUP_INTERVAL_MS, { db: database.db, clock: systemClock, log });
  setInterval(() => void runCleanup(), CLEANUP_INTERVAL_MS).unref();
  if (config.seedDemo) print('Getting the demo ready…');
  const seeding = config.seedDemo ? seedDemo(app) : Promise.resolve(false);
  // A second or two, and the next start finds all of the demo people instead of a part.
  closers.push(() => seeding.catch(() => false));
  const isDemo = await seeding;
  if (isStopping) return;

  await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') throw error;
    throw new ConfigError(
      `Cannot listen on ${config.host}:${config.port} (${error.code}); set PORT and HOST to others`,
    );
  });
  closers.push(() => app.close());
  void runCleanup();
  // The framework logs where it listens a moment later; the address comes last.
  await nextTurn();
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  if (isDemo) {
    const crowd = fillDemo(app, database.pool, log);
    // Before the app closes: what it would call is gone then.
    closers.push(crowd.stop);
    print(`${CROWD.length} more demo people join within a minute or so.`);
    console.log(`Demo sign-in: ${DEMO_SIGN_IN.email} with the password ${DEMO_SIGN_IN.password}`);
  }
  print('Callboard is running. Stop it with Ctrl+C. Open:');
  console.log(toBrowserUrl(config, port));
}

run().catch((error: unknown) => {
  // What the person can put right is said in one line; everything else is a bug and shows where.
  console.error(error instanceof ConfigError ? `Callboard cannot start: ${error.message}` : error);
  process.exit(1);
});
