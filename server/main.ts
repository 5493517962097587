import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { DEMO_SIGN_IN, seedDemo } from './demo/seed.ts';
import { systemClock } from './deps.ts';
import { forgetNetworks } from './features/account/known-devices.ts';
import { endExpiredSessions } from './features/account/store.ts';
import { forgetTerms } from './features/search/indexer.ts';
import { forgetOldNews } from './features/notifications/store.ts';
import { forgetOld } from './features/sync/store.ts';
import { sweepFiles } from './features/uploads/sweep.ts';
import { forgetSockets } from './live/sockets.ts';
import { openStorage } from './storage/open.ts';

const STOP_MS = 15_000;
const TIDY_EVERY_MS = 60 * 60_000;

/** Where to point a browser at. An address that means every interface is no place to go to. */
function urlOf(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl;
  const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Ends what runs when it is asked to. What does not end by itself is left behind: every part bears being killed. */
function stopOnSignals(stop: () => Promise<void>): void {
  const end = () => {
    const patience = setTimeout(() => process.exit(1), STOP_MS);
    void stop().then(() => {
      clearTimeout(patience);
      process.exit(0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel, base: undefined });
  const database = await openDatabase(config, log);
  const closers: (() => Promise<unknown>)[] = [database.close];
  let isStopping = false;
  stopOnSignals(async () => {
    isStopping = true;
    for (const close of closers.reverse()) await close();
  });

  const storage = await openStorage(config);
  const app = await buildApp({ config, db: database.db, listen: database.listen, clock: systemClock, storage, log });
  const tidy = async () => {
    await forgetOld(database.db, systemClock.now());
    await forgetOldNews(database.db, systemClock.now());
    await endExpiredSessions(database.db, systemClock.now());
    await forgetNetworks(database.db, systemClock.now());
    await forgetSockets(database.db, systemClock.now());
    await forgetTerms(database.db);
    await sweepFiles({ config, db: database.db, storage, clock: systemClock });
  };
  const tidyInPeace = () => tidy().catch((error: unknown) => log.error({ err: error }, 'tidying failed'));
  setInterval(() => void tidyInPeace(), TIDY_EVERY_MS).unref();
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
  void tidyInPeace();
  // The framework logs where it listens a moment later; the address comes last.
  await nextTurn();
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  if (isDemo) console.log(`Demo sign-in: ${DEMO_SIGN_IN.email} with the password ${DEMO_SIGN_IN.password}`);
  console.log(urlOf(config, port));
}

run().catch((error: unknown) => {
  // What the person can put right is said in one line; everything else is a bug and shows where.
  console.error(error instanceof ConfigError ? `Callboard cannot start: ${error.message}` : error);
  process.exit(1);
});
