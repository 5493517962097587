import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { CREDENTIALS, LiveClient, openConnected } from './support/live-client.ts';
import { callServer, startServer, type ServerProcess } from './support/server-process.ts';

const DRAIN_MS = 10_000;

let dataDir = '';
let running: ServerProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-drain-'));
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  running = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (env: Record<string, string>) =>
  (running = await startServer({
    DATA_DIR: dataDir,
    PUSHER_APP_ID: 'callboard',
    PUSHER_KEY: CREDENTIALS.key,
    PUSHER_SECRET: CREDENTIALS.secret,
    PUSHER_EMBEDDED_API: '1',
    ...env,
  }));

if (isFull) {
  test('closes a thousand sockets gradually within ten seconds when the server stops', async () => {
    const { url, end } = await start({});
    const clients = await openConnected(1000, () => new LiveClient(Number(new URL(url).port)));
    await Promise.all(clients.map((client) => client.subscribe('news')));
    const at: number[] = [];
    const closed = clients.map((client) => client.closed.then((code) => (at.push(performance.now()), code)));
    const startedAt = performance.now();
    expect(await end('SIGTERM')).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS);
    // Each socket reconnects a second after it was closed, so they must not close in the same second.
    expect(new Set(await Promise.all(closed))).toEqual(new Set([1001]));
    expect(at.at(-1)! - at[0]!).toBeGreaterThan(3000);
  });
}

test('does not wait for an unresponsive live service when the server stops', async () => {
  const silent = http.createServer(() => undefined);
  const received = new Promise<void>((resolve) => silent.once('request', () => resolve()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const { url, end } = await start({ PUSHER_HOST: '127.0.0.1', PUSHER_PORT: String(port), PUSHER_SCHEME: 'http' });
  const { body } = await callServer<{ token: string }>(url, 'POST /register', {
    body: { name: 'Ila Deshpande', email: 'ila@callboard.example', password: 'the ghost light stays on' },
  });
  expect((await callServer(url, 'POST /logout', { token: body.token })).status).toBe(200);
  await received;
  const startedAt = performance.now();
  expect(await end('SIGTERM')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
