import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from './listen.ts';

/** The built server as people run it: a process of its own, with its own data, always on the same port. */
export interface AppServer {
  /** Where it answers, e.g. http://127.0.0.1:41234. */
  url: string;
  port: number;
  dataDir: string;
  isRunning(): boolean;
  /** Of the running server's process. */
  pid(): number;
  /** How often it was stopped or killed so far. */
  stopCount(): number;
  /**
   * Starts it, or starts it again with the same data. Resolves once it answers.
   * @param changed environment variables that its operator sets anew
   */
  start(changed?: Record<string, string>): Promise<void>;
  /** SIGTERM, as an operator would; resolves when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL: no goodbye to anybody. */
  kill(): Promise<void>;
  /** The last of what it wrote, for a failed test's report. */
  log(): string;
  /** Stops it for good and removes its data. */
  dispose(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const LOG_LINES = 400;

/** A run that ends badly takes its servers with it. */
const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGTERM')));

/** A port nobody uses now. */
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
 * Prepares a server that is not started yet.
 * @param settings environment variables on top of a quiet test set-up (no demo people, no rate limits)
 * @param folder of the project whose build it is; this one's unless given
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
      if (child?.pid === undefined || !isRunning()) throw new Error('The server does not run');
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
        if (!isRunning()) throw new Error(`The server ended while starting:\n${lines.join('')}`);
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
