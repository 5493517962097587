import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { projectRoot } from '#server/platform/paths.ts';
import { SERVER_BUNDLE } from '../../../scripts/server-bundle.ts';

/** The bundled server in a process of its own, as in production. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Sends the signal and waits for the exit. Resolves with the exit code, or null when it was killed. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

const FOLDER = path.join(projectRoot, 'node_modules/.cache/callboard-tests', `server-${process.pid}`);
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
let bundled: Promise<unknown> | null = null;

/** Bundles once per test file: loading the sources one by one would take most of the startup time. */
function bundle(): Promise<unknown> {
  bundled ??= build({
    ...SERVER_BUNDLE,
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
  });
  return bundled;
}

/** Starts the server and waits for its address. @throws with its output when it exits before */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  await bundle();
  // The test chooses database and files.
  const inherited = Object.entries(process.env).filter(([name]) => name !== 'DATABASE_URL' && !name.startsWith('S3_'));
  const child = spawn(process.execPath, [path.join(FOLDER, 'main.mjs')], {
    env: {
      ...Object.fromEntries(inherited),
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SCALE: '0',
      CONFIRM_EMAIL: '0',
      CHALLENGE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        if (/^http:\/\/\S+$/.test(line)) resolve(line);
      });
    }
    void once(child, 'close').then(() => reject(new Error(output.join('\n'))), reject);
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  return { url, child, end };
}

/** Calls a running server with the headers of the app. */
export async function callServer<T>(
  url: string,
  request: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: T }> {
  const [method, route] = request.split(' ') as [string, string];
  const answer = await fetch(url + route, {
    method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
}
