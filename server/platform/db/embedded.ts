import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import { findBinaries } from './binaries.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { clearStaleLock } from './stale-lock.ts';

const MAJOR = '18';
const OWNER = 'callboard';
const PORT = 5432;
/** What a socket's address may measure, its closing NUL included, on the strictest system. */
const SOCKET_PATH_BYTES = 103;
const SETTINGS = [
  'listen_addresses=',
  `unix_socket_permissions=0700`,
  'max_connections=60',
  'shared_buffers=64MB',
  'fsync=on',
  'synchronous_commit=on',
  // Neither statements nor the values in them belong in a log.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_line_prefix=',
  'timezone=UTC',
  'log_timezone=UTC',
];
/** The child dies with us even when we are killed: the read ends when our end of the pipe closes. */
const WATCHDOG =
  'exec 3<&0; "$@" </dev/null 3<&- & p=$!; (read -r _ <&3; kill -INT $p 2>/dev/null) & w=$!; wait $p; s=$?; kill $w 2>/dev/null; exit $s';

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** For `pg`: where to connect. `database` is for the caller to choose. */
  connection: { host: string; port: number; user: string };
  /** Ends every connection and the process; resolves when it is gone. */
  stop: () => Promise<void>;
}

interface Options {
  /** PostgreSQL's files go to `postgres` in it. */
  dataDir: string;
  log: Log;
  /** More settings, as name=value; the later one wins. */
  settings?: string[];
}

async function checkVersion(folder: string): Promise<boolean> {
  const found = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => null))?.trim();
  if (found === undefined) {
    const entries = await readdir(folder).catch(() => []);
    if (entries.length === 0) return false;
    throw new ConfigError(`${folder} holds files, but no database; nothing was changed. Choose another DATA_DIR`);
  }
  if (found === MAJOR) return true;
  throw new ConfigError(
    `The database in ${folder} is of PostgreSQL ${found}, this server runs ${MAJOR}; nothing was changed. Move it with pg_dump and pg_restore`,
  );
}

/** Made beside its place and moved there whole, so that an interrupted start leaves no half a database. */
async function createCluster(folder: string, initdb: string, guise: RunAs): Promise<void> {
  const parent = path.dirname(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith('postgres.new-')) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const fresh = `${folder}.new-${process.pid}`;
  await mkdir(fresh, { mode: 0o700 });
  guise.takeOwnership(fresh);
  const [command, ...rest] = [
    ...guise.prefix,
    initdb,
    `--pgdata=${fresh}`,
    `--username=${OWNER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  const child = spawn(command as string, rest, { ...guise.ids, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    throw new ConfigError(`The database could not be made in ${folder}: ${said.trim().split('\n').at(-1) ?? ''}`);
  }
  await rename(fresh, folder);
}

/** The data folder itself, or a private folder of a short name where its path is too long for a socket. */
function socketFolder(dataFolder: string, guise: RunAs): string {
  const name = `/.s.PGSQL.${PORT}`;
  if (Buffer.byteLength(dataFolder + name) <= SOCKET_PATH_BYTES) return dataFolder;
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const short = path.join(tmpdir(), `callboard-${process.getuid?.() ?? 0}-${digest}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const found = statSync(short);
  const mine = found.uid === process.getuid?.() || found.uid === guise.owner;
  if (!mine || (found.mode & 0o077) !== 0 || Buffer.byteLength(short + name) > SOCKET_PATH_BYTES) {
    throw new ConfigError(`The path of DATA_DIR is too long for a socket, and ${short} cannot be used instead`);
  }
  guise.takeOwnership(short);
  return short;
}

/** Whether the server behind the socket takes connections; throws what is not a matter of waiting. */
async function answers(connection: EmbeddedPostgres['connection']): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 });
  // A connection cut while it is made says so twice.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    // Not there yet, refused, starting up, or the time ran out.
    if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03', ''].includes(code)) return false;
    throw error;
  }
}

/** How to reach the PostgreSQL that runs on this data directory; null where none answers. */
export async function runningPostgres(dataDir: string): Promise<EmbeddedPostgres['connection'] | null> {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  // The fourth line of its lock file is the port, the fifth the folder of its socket.
  const [, , , port, host] = lock.split('\n');
  if (!port || !host) return null;
  const connection = { host: host.trim(), port: Number(port), user: OWNER };
  return (await answers(connection)) ? connection : null;
}

const PREDECESSOR_MS = 5000;
const RESTART_FIRST_MS = 100;
const RESTART_LAST_MS = 10_000;

/**
 * Starts PostgreSQL as a child, makes its files where there are none, and starts it again whenever it dies by itself.
 * Takes a stale lock away, waits up to 5 s for a dying predecessor.
 * @throws ConfigError with one clear line when the folder cannot be used; its content is untouched then
 */
export async function startPostgres({ dataDir, log, settings = [] }: Options): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR cannot be made: ${error.message}`);
  });
  const folder = path.join(await realpath(dataDir), 'postgres');
  const exists = await checkVersion(folder);
  const guise = chooseRunAs(binaries.postgres, folder);
  if (!exists) await createCluster(folder, binaries.initdb, guise);
  await chmod(folder, 0o700);
  const sockets = socketFolder(folder, guise);
  const connection = { host: sockets, port: PORT, user: OWNER };

  let child: ChildProcess | null = null;
  let stopping = false;
  let lastWords = '';

  const launch = (): ChildProcess => {
    const options = [...SETTINGS, `unix_socket_directories=${sockets}`, ...settings].flatMap((line) => ['-c', line]);
    const [command, ...rest] = [...guise.prefix, '/bin/sh', '-c', WATCHDOG, 'callboard-postgres', binaries.postgres];
    // Detached: Ctrl-C in a terminal must reach the server alone, which still needs its database to finish.
    const started = spawn(command as string, [...rest, '-D', folder, '-p', String(PORT), ...options], {
      ...guise.ids,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    started.stdin?.on('error', () => {});
    if (started.stderr) {
      createInterface({ input: started.stderr }).on('line', (line) => {
        if (line.trim() === '') return;
        lastWords = line;
        log.debug({ postgres: line }, 'database says');
      });
    }
    return started;
  };

  const start = async (patienceMs: number): Promise<void> => {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const holder = await clearStaleLock(folder, sockets);
      if (holder === null) {
        const started = launch();
        const ended = once(started, 'exit').then(
          () => true,
          () => true,
        );
        for (;;) {
          if (await answers(connection)) {
            child = started;
            return;
          }
          const gone = await Promise.race([ended, wait(20, false)]);
          if (gone) break;
        }
      }
      if (Date.now() > deadline) {
        throw new ConfigError(
          holder === null
            ? `The database in ${folder} does not start: ${lastWords}`
            : `Another server (process ${holder}) uses ${folder}; stop it, or choose another DATA_DIR`,
        );
      }
      await wait(100);
    }
  };

  const exitOf = async (running: ChildProcess): Promise<void> => {
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  };

  const supervise = async (watched: ChildProcess): Promise<void> => {
    await exitOf(watched);
    let delayMs = RESTART_FIRST_MS;
    while (!stopping) {
      log.error({ lastWords }, 'database ended by itself, starting it again');
      await wait(delayMs);
      delayMs = Math.min(delayMs * 2, RESTART_LAST_MS);
      try {
        if (!stopping) await start(RESTART_LAST_MS);
        break;
      } catch (error) {
        log.error({ err: error }, 'database cannot be started');
      }
    }
    if (!stopping && child !== null) await supervise(child);
  };

  await start(PREDECESSOR_MS);
  const supervised = supervise(child as unknown as ChildProcess);

  return {
    connection,
    stop: async () => {
      stopping = true;
      child?.stdin?.end();
      await supervised;
      // It died a moment ago, and the one that takes its place was just coming up.
      child?.stdin?.end();
      if (child) await exitOf(child);
    },
  };
}
