import type {} from '#server/platform/http/route.ts';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { getCurrentVersions } from '#contract/legal.ts';
import { buildApp } from '#server/app.ts';
import type { Mailer, OutgoingMail } from '#server/features/mail/transport.ts';
import { jobHandlers } from '#server/jobs.ts';
import { runDueJobs } from '#server/platform/jobs/worker.ts';
import { readConfig } from '#server/platform/config.ts';
import { connect, type Database } from '#server/platform/db/connect.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { ServerOptions } from '#server/platform/deps.ts';
import { hashPassword } from '#server/features/account/passwords.ts';
import { recordConsents } from '#server/features/account/consents.ts';
import { addSession, addUser } from '#server/features/account/store.ts';
import { openPushSender } from '#server/features/push/service.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { addRecordTypes } from '#server/read-models/sync/store.ts';
import { withDatabase } from './database.ts';
import { quietLog } from './quiet.ts';
import { openTestStore } from './store.ts';

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  #ms = Date.parse('2026-11-21T09:00:00Z');
  now = () => new Date(this.#ms);
  advance(ms: number): void {
    this.#ms += ms;
  }
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed JSON body. */
  body: never;
}

export interface RequestOptions {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The whole server with its own database. */
export interface TestServer {
  app: FastifyInstance;
  database: Database;
  clock: ManualClock;
  /** Sends a request with the headers of the app. `request` is a method and path such as 'POST /skills'. */
  call: <T = Record<string, unknown>>(
    request: string,
    ask?: RequestOptions,
  ) => Promise<Omit<TestResponse, 'body'> & { body: T }>;
  /** Adds a person with a session. */
  join: (name?: string) => Promise<Person>;
  /** Adds another session for a person, for example when the first has expired. */
  signIn: (person: Person) => Promise<Person>;
  /** Does the background jobs that are due. No job runs by itself in tests. Rejects if one fails that may not. */
  runJobs: (options?: { mayFail: string }) => Promise<void>;
  /** The mails that jobs have sent. */
  mails: OutgoingMail[];
  close: () => Promise<void>;
}

export interface Person {
  id: string;
  name: string;
  email: string;
  password: string;
  token: string;
}

export interface TestServerOptions {
  /** Settings as environment variables. Rate limits are off unless given. */
  env?: Record<string, string>;
  /** Files of a built app to serve, by path. None by default, so that an existing build does not affect tests. */
  appFiles?: Record<string, string | Uint8Array>;
  log?: ServerOptions['log'];
  /** The free disk space. Unlimited by default. */
  freeDiskBytes?: ServerOptions['freeDiskBytes'];
  /** The connection of parts that have their own. To the database of the test server by default. */
  connection?: ServerOptions['connection'];
  /** Trusts the certificate of a push service of the tests. */
  pushAgent?: Agent;
}

/** The address of the test server in mails. */
export const TEST_HOME = 'https://callboard.example';
const DEFAULT_ENV = {
  RATE_LIMIT_SCALE: '0',
  LOG_LEVEL: 'silent',
  CHALLENGE: '0',
  PUSH_SUBJECT: 'mailto:ops@callboard.example',
};
const PASSWORD = 'the ghost light stays on';
/**
 * Password hashing is the slowest part of adding a person, so people share one hash. Account tests register through the
 * API.
 */
const passwordHash = hashPassword(PASSWORD);

async function createDatabase(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const server = inject('postgres');
  const name = `callboard_test_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  // Copying files is faster than logging every page, which only matters to a database that must survive.
  await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`);
  const database = connect(withDatabase(server, name), quietLog);
  const drop = async () => {
    await database.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  return { database, drop };
}

/** Returns a function that sends requests to a node. @see TestServer.call */
export const createCall =
  (app: FastifyInstance): TestServer['call'] =>
  async (request, { token, body, headers } = {}) => {
    const [method, url] = request.split(' ') as [InjectOptions['method'], string];
    const answer = await app.inject({
      method,
      url,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      payload: body as InjectOptions['payload'],
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      text: answer.body,
      body: isJson ? answer.json() : undefined,
    } as never;
  };

export async function openTestServer({
  env = {},
  appFiles = {},
  log,
  freeDiskBytes,
  connection,
  pushAgent,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-server-'));
  const appFolder = path.join(folder, 'app');
  for (const [name, content] of Object.entries(appFiles)) {
    const file = path.join(appFolder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const { database, drop } = await createDatabase();
  const clock = new ManualClock();
  const store = await openTestStore();
  const config = readConfig({ ...DEFAULT_ENV, DATA_DIR: folder, ...store.env, ...env });
  const storage = await openStorage(config);
  const app = await buildApp({
    config,
    db: database.db,
    connection: connection ?? database.connection,
    listen: database.listen,
    clock,
    storage,
    log,
    // The free space of the machine that runs the tests must not matter.
    freeDiskBytes: freeDiskBytes ?? (async () => Number.MAX_SAFE_INTEGER),
    appFolder,
    checkAnswers: true,
  });
  await addRecordTypes(database.db, [...app.mirror.keys()]);

  const call = createCall(app);
  let people = 0;
  const join = async (name = 'Ila Deshpande'): Promise<Person> => {
    people += 1;
    const email = `person${people}-${randomBytes(3).toString('hex')}@callboard.example`;
    const now = clock.now();
    const user = await addUser(database.db, { name, email, passwordHash: await passwordHash, createdAt: now });
    if (user === null) throw new Error(`Person not added: ${email} is taken`);
    await recordConsents(database.db, user.id, getCurrentVersions(), 'prompt', now);
    const { token } = await addSession(database.db, user.id, 'A test', now);
    return { id: String(user.id), name, email, password: PASSWORD, token };
  };
  const signIn: TestServer['signIn'] = async (person) => ({
    ...person,
    token: (await addSession(database.db, Number(person.id), 'A test', clock.now())).token,
  });

  const mails: OutgoingMail[] = [];
  const pushSender = openPushSender({ config, db: database.db, ...(pushAgent && { agent: pushAgent }) });
  const mailer: Mailer = { send: async (mail) => void mails.push(mail), close: () => {} };
  const runJobs = async (options?: { mayFail: string }) => {
    const failures: unknown[] = [];
    const keep = (entry: object) => {
      if (!('job' in entry) || entry.job !== options?.mayFail) failures.push(entry);
    };
    await runDueJobs(database.pool, {
      handlers: jobHandlers(app.deps, { mailer, pushSender, home: TEST_HOME }),
      log: { ...quietLog, warn: keep, error: keep },
    });
    if (failures.length > 0) throw new Error(`Jobs failed: ${JSON.stringify(failures)}`);
  };

  const close = async () => {
    await app.close();
    await drop();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { app, database, clock, call, join, signIn, runJobs, mails, close };
}

/** Opens one test server for a test file and closes it afterwards. */
export function useTestServer(options?: TestServerOptions): TestServer {
  const testServer = {} as TestServer;
  beforeAll(async () => {
    Object.assign(testServer, await openTestServer(options));
  });
  afterAll(() => testServer.close());
  return testServer;
}
