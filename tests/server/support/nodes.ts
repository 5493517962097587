import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgres } from '#server/platform/db/embedded.ts';
import { getServiceSettings } from './compose.ts';
import { quietLog } from './quiet.ts';
import { startS3Server } from './s3-server.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/** A proxy between the nodes and the live service. When closed, it holds requests without a response. */
interface RequestGate {
  url: string;
  isOpen: boolean;
  /** Resolves when the next request arrives. */
  nextRequest: () => Promise<unknown>;
}

/** Everything in deploy/compose.yaml except the proxy, as local processes with the same settings. */
export interface Nodes {
  /** The process that holds the sockets of devices. */
  live: ServerProcess;
  /** Stops that process and starts it again on its port. */
  restartLive: () => Promise<void>;
  gate: RequestGate;
  start: (name: string) => Promise<ServerProcess>;
  close: () => Promise<void>;
}

async function openRequestGate(target: string): Promise<RequestGate & { close: () => Promise<void> }> {
  const { port } = new URL(target);
  const server = http.createServer((request, response) => {
    server.emit('knock');
    if (!gate.isOpen) return;
    const { url: path, method, headers } = request;
    const passed = http.request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isOpen: true,
    nextRequest: () => once(server, 'knock'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gate;
}

const OPERATOR = {
  DOMAIN: 'callboard.example',
  POSTGRES_PASSWORD: 'aa11',
  DATABASE_PASSWORD: 'dd44',
  SMTP_URL: '',
  PUSH_SUBJECT: '',
  MAIL_FROM: '',
  S3_ROOT_PASSWORD: 'ee55',
  S3_SECRET_ACCESS_KEY: 'bb22',
  PUSHER_KEY: 'callboard',
  PUSHER_SECRET: 'cc33',
};

/** @param settings instead of those of the Compose file, for the nodes */
export async function openNodes(settings: Record<string, string> = {}): Promise<Nodes> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-nodes-'));
  const postgres = await startPostgres({ dataDir: path.join(folder, 'db'), log: quietLog });
  const { host: socket, user } = postgres.connection;
  const admin = new pg.Client({ ...postgres.connection, database: 'postgres' });
  await admin.connect();
  await admin.query('create database callboard');
  await admin.end();
  const s3 = await startS3Server();
  // Tests without a proxy have nobody to wait for.
  const overrides = { HOST: '127.0.0.1', PUBLIC_URL: '', DRAIN_WAIT_S: '0' };
  const liveSettings = {
    ...(await getServiceSettings('live', OPERATOR)),
    ...overrides,
    DATA_DIR: path.join(folder, 'live'),
  };
  let live = await startServer(liveSettings);
  const restartLive = async () => {
    await live.end('SIGTERM');
    live = await startServer({ ...liveSettings, PORT: new URL(live.url).port });
  };
  const gate = await openRequestGate(live.url);
  const running = new Set<ServerProcess>();
  const app = await getServiceSettings('app-1', OPERATOR);
  const start = async (name: string) => {
    const server = await startServer({
      ...app,
      ...overrides,
      DATA_DIR: path.join(folder, name),
      DATABASE_URL: `postgresql://${user}@localhost/callboard?host=${encodeURIComponent(socket)}`,
      S3_ENDPOINT: s3.settings.endpoint ?? '',
      S3_BUCKET: s3.settings.bucket,
      S3_REGION: s3.settings.region,
      S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      PUSHER_HOST: '127.0.0.1',
      PUSHER_PORT: new URL(live.url).port,
      PUSHER_SCHEME: 'http',
      PUSHER_API_URL: gate.url,
      ...settings,
    });
    running.add(server);
    return server;
  };
  const close = async () => {
    await Promise.all([...running].map((server) => server.end('SIGKILL')));
    // The live service has its own database, which must stop before its files are removed.
    await live.end('SIGTERM');
    await gate.close();
    await s3.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { live, restartLive, gate, start, close };
}
