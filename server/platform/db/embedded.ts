import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import { findBinaries } from './binaries.ts';
import { SUPERUSER, type Cluster } from './roles.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { clearStaleLock } from './stale-lock.ts';

const MAJOR = '18';
const PORT = 5432;
/** Maximum length of a socket's path with its final NUL, on the strictest system. */
const MAX_SOCKET_PATH_BYTES = 103;
const SETTINGS = [
  'listen_addresses=',
  `unix_socket_permissions=0700`,
  'max_connections=60',
  'shared_buffers=64MB',
  'fsync=on',
  'synchronous_commit=on',
  // Keep statements and their values out of the log.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_line_prefix=',
  'timezone=UTC',
  'log_timezone=UTC',
];
/** Stops the child even when this process is killed: `read` returns when this end of the pipe closes. */
const WATCHDOG =
  'exec 3<&0; "$@" </dev/null 3<&- & p=$!; (read -r _ <&3; kill -INT $p 2>/dev/null) & w=$!; wait $p; s=$?; kill $w 2>/dev/null; exit $s';

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** Connection settings of the superuser. */
  connection: Cluster;
  /** Ends every connection and the process. Resolves when the process has exited. */
  stop: () => Promise<void>;
}

interface Options {
  /** Its subfolder `postgres` holds the files of PostgreSQL. */
  dataDir: string;
  log: Log;
  /** Additional settings as name=value. A later one overrides an earlier one. */
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
    `The database in ${folder} is of PostgreSQL ${found}, this server runs ${MAJOR}; nothing was changed. Make a backup with the release that wrote it (npm run backup), and restore that with this one`,
  );
}

/**
 * A restore that was killed between its two renames leaves no data directory, but what was there and what should be there beside it. A
 * server must not start with an empty database then.
 */
async function requireNoHalfRestore(dataDir: string): Promise<void> {
  const { base, dir } = path.parse(path.resolve(dataDir));
  const siblings = await readdir(dir).catch(() => []);
  const before = siblings
    .filter((name) => name.startsWith(`${base}.before-`))
    .sort()
    .at(-1);
  if (before === undefined || !siblings.some((name) => name.startsWith(`${base}.new-`))) return;
  throw new ConfigError(
    `A restore into ${dataDir} was interrupted; nothing is lost. Run it again, or rename ${path.join(dir, before)} to ${dataDir}`,
  );
}

/** Creates the cluster in a temporary folder and moves it into place, so that an interrupted start leaves no partial database. */
async function createCluster(folder: string, initdb: string, runAs: RunAs): Promise<void> {
  const parent = path.dirname(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith('postgres.new-')) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  const fresh = `${folder}.new-${process.pid}`;
  await mkdir(fresh, { mode: 0o700 });
  runAs.takeOwnership(fresh);
  const [command, ...rest] = [
    ...runAs.prefix,
    initdb,
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  const child = spawn(command as string, rest, { ...runAs.ids, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    const lines = output.trim().split('\n');
    // The last line may only say that it cleans up.
    const reason = lines.find((line) => /error|fatal|panic|could not/i.test(line)) ?? lines.at(-1) ?? '';
    throw new ConfigError(`The database could not be made in ${folder}: ${reason}`);
  }
  await rename(fresh, folder);
}

/** The data folder, or a private folder with a short path when the data folder's path is too long for a socket. */
function getSocketFolder(dataFolder: string, runAs: RunAs): string {
  const name = `/.s.PGSQL.${PORT}`;
  if (Buffer.byteLength(dataFolder + name) <= MAX_SOCKET_PATH_BYTES) return dataFolder;
  const digest = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const short = path.join(tmpdir(), `callboard-${process.getuid?.() ?? 0}-${digest}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const found = statSync(short);
  const isOwn = found.uid === process.getuid?.() || found.uid === runAs.owner;
  if (!isOwn || (found.mode & 0o077) !== 0 || Buffer.byteLength(short + name) > MAX_SOCKET_PATH_BYTES) {
    throw new ConfigError(`The path of DATA_DIR is too long for a socket, and ${short} cannot be used instead`);
  }
  runAs.takeOwnership(short);
  return short;
}

/** Whether the server accepts connections. @throws errors that waiting cannot fix */
async function acceptsConnections(connection: Cluster): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 });
  // A connection that breaks while it opens reports the error twice.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    // No socket yet, refused, starting up, or timed out.
    if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03', ''].includes(code)) return false;
    throw error;
  }
}

/** Connection settings of the PostgreSQL that already runs on this data directory; null when none responds. */
export async function findRunningPostgres(dataDir: string): Promise<Cluster | null> {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  // The fourth line of its lock file is the port, the fifth the folder of its socket.
  const [, , , port, host] = lock.split('\n');
  if (!port || !host) return null;
  const connection = { host: host.trim(), port: Number(port), user: SUPERUSER };
  return (await acceptsConnections(connection)) ? connection : null;
}

/** How long to wait for a previous PostgreSQL to exit. */
const PREDECESSOR_TIMEOUT_MS = 5000;
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;

/**
 * Starts PostgreSQL as a child process. Creates its files when there are none, removes a stale lock, waits up to 5 s for a previous
 * instance to exit, and restarts PostgreSQL whenever it exits unexpectedly.
 * @throws ConfigError with a one-line message when the folder cannot be used; its content is unchanged then
 */
export async function startPostgres({ dataDir, log, settings = [] }: Options): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  if (!existsSync(path.join(dataDir, 'postgres'))) await requireNoHalfRestore(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR cannot be made: ${error.message}`);
  });
  const folder = path.join(await realpath(dataDir), 'postgres');
  const exists = await checkVersion(folder);
  const runAs = chooseRunAs(binaries.postgres, folder);
  if (!exists) await createCluster(folder, binaries.initdb, runAs);
  await chmod(folder, 0o700);
  const sockets = getSocketFolder(folder, runAs);
  const connection = { host: sockets, port: PORT, user: SUPERUSER };

  let child: ChildProcess | null = null;
  let isStopping = false;
  let lastWords = '';

  const launch = (): ChildProcess => {
    const options = [...SETTINGS, `unix_socket_directories=${sockets}`, ...settings].flatMap((line) => ['-c', line]);
    const [command, ...rest] = [...runAs.prefix, '/bin/sh', '-c', WATCHDOG, 'callboard-postgres', binaries.postgres];
    // Detached: Ctrl-C in a terminal must reach only the server, which still needs its database to shut down.
    const started = spawn(command as string, [...rest, '-D', folder, '-p', String(PORT), ...options], {
      ...runAs.ids,
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

  const start = async (timeoutMs: number): Promise<void> => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const holder = await clearStaleLock(folder, sockets);
      if (holder === null) {
        const started = launch();
        const ended = once(started, 'exit').then(
          () => true,
          () => true,
        );
        for (;;) {
          if (await acceptsConnections(connection)) {
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

  const waitForExit = async (running: ChildProcess): Promise<void> => {
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  };

  const supervise = async (watched: ChildProcess): Promise<void> => {
    await waitForExit(watched);
    let delayMs = MIN_RESTART_DELAY_MS;
    while (!isStopping) {
      log.error({ lastWords }, 'database ended by itself, starting it again');
      await wait(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS);
      try {
        if (!isStopping) await start(MAX_RESTART_DELAY_MS);
        break;
      } catch (error) {
        log.error({ err: error }, 'database cannot be started');
      }
    }
    if (!isStopping && child !== null) await supervise(child);
  };

  await start(PREDECESSOR_TIMEOUT_MS);
  const supervised = supervise(child as unknown as ChildProcess);

  return {
    connection,
    stop: async () => {
      isStopping = true;
      child?.stdin?.end();
      await supervised;
      // PostgreSQL may have died a moment ago and been restarted in the meantime.
      child?.stdin?.end();
      if (child) await waitForExit(child);
    },
  };
}
