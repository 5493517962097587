import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from './listen.ts';

/** The built server as a separate process, with its own data, always on the same port. */
export interface AppServer {
  /** Origin, e.g. http://127.0.0.1:41234. */
  url: string;
  port: number;
  dataDir: string;
  isRunning(): boolean;
  /** Process id of the running server. */
  pid(): number;
  /** Number of times it was stopped or killed. */
  stopCount(): number;
  /**
   * Starts or restarts the server on its data. Resolves once it answers.
   * @param changed environment variables to override
   */
  start(changed?: Record<string, string>): Promise<void>;
  /** Stops it with SIGTERM; resolves when the process has exited. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL, without a graceful shutdown. */
  kill(): Promise<void>;
  /** The last lines of its output, for the report of a failed test. */
  log(): string;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const LOG_LINES = 400;

/** Servers to stop when the test process exits unexpectedly. */
const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGTERM')));

/** Finds a free port. */
async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Prepares a server without starting it.
 * @param settings environment variables on top of the test defaults (no demo people, no rate limits, no address to confirm)
 * @param folder of the project to run; defaults to this one
 */
export async function appServer(settings: Record<string, string> = {}, folder = process.cwd()): Promise<AppServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-e2e-'));
  const lines: string[] = [];
  let child: ChildProcess | undefined;
  let stops = 0;

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const note = (chunk: unknown) => {
    lines.push(String(chunk));
    lines.splice(0, Math.max(0, lines.length - LOG_LINES));
  };

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child === undefined || !isRunning()) return;
    stops += 1;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };

  return {
    url,
    port,
    dataDir,
    isRunning,
    pid() {
      if (child?.pid === undefined || !isRunning()) throw new Error('The server is not running');
      return child.pid;
    },
    stopCount: () => stops,
    log: () => lines.join(''),
    async start(changed = {}) {
      if (isRunning()) return;
      child = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NODE_ENV: 'production',
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: dataDir,
          SEED_DEMO: '0',
          RATE_LIMIT_SCALE: '0',
          CONFIRM_EMAIL: '0',
          CHALLENGE: '0',
          ...settings,
          ...changed,
        },
      });
      const own = child;
      started.add(own);
      own.once('exit', () => started.delete(own));
      child.stdout?.on('data', note);
      child.stderr?.on('data', note);
      const giveUpAt = Date.now() + START_TIMEOUT_MS;
      while (!(await isAnswering(url))) {
        if (!isRunning()) throw new Error(`The server exited while starting:\n${lines.join('')}`);
        if (Date.now() > giveUpAt) throw new Error(`The server does not answer:\n${lines.join('')}`);
        await wait(10);
      }
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async dispose() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
