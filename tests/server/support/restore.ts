import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { makeBackup } from '#server/backup/make.ts';
import { queueSend } from '#server/features/push/queue.ts';
import { restoreBackup, type Restored, type RestoreOptions } from '#server/backup/restore.ts';
import { readConfig } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/connect.ts';
import { openDatabase } from '#server/platform/db/open.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { REMOVE_FILES } from '#server/platform/storage/remove-files.ts';
import { useTwoPerformers } from './files.ts';
import { addSkill } from './people.ts';
import { jpeg } from './pictures.ts';
import { quietLog } from './quiet.ts';

const DAY_MS = 86_400_000;

/** A line separator, at which some readers end a line. */
export const ODD_KEY = 'a\u2028b';
/** Text that COPY must escape. */
export const ODD_NAME = 'Tab\tand \\ and\nline “ends” 🎭';

/** A test server, one backup of it that all tests of a file restore, and a folder for each test. */
export interface BackedUp {
  testServer: ReturnType<typeof useTwoPerformers>;
  /** The folder of the backup. */
  backup: string;
  /** An empty folder for each test, and the data directory in it that tests restore into. */
  root: string;
  into: string;
  restore: (options?: Partial<RestoreOptions>) => Promise<Restored>;
  /** Restores in a process that kills itself when it comes to a step. */
  restoreUntilKilled: (step: string) => Promise<void>;
  /** Runs `work` on the database of a restored data directory. */
  withRestored: <T>(work: (database: Database) => Promise<T>, dataDir?: string) => Promise<T>;
  askRestored: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
}

export const ask = async <Row extends object>(
  { pool }: Database,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await pool.query<Row>(text, values)).rows;

/** Rows of many kinds: a photo, skills; a mail, a push, news for a mail and a job that wait. */
async function fill({ nell, moll, url, database, call }: BackedUp['testServer'], testServer: BackedUp['testServer']) {
  const form = new FormData();
  form.set('profileId', nell.profileId);
  form.set('image', new Blob([Buffer.from(await jpeg(60, 40))], { type: 'image/jpeg' }), 'face.jpg');
  const headers = { authorization: `Bearer ${nell.token}` };
  expect((await fetch(`${url}/profile/avatar`, { method: 'POST', headers, body: form })).status).toBe(200);
  await addSkill(testServer, nell, nell.profileId, ODD_NAME);
  await addSkill(testServer, moll, moll.profileId);
  await call('POST /password/forgot', { body: { email: nell.email } });
  await database.db.transaction((tx) => addJob(tx, REMOVE_FILES, { keys: [ODD_KEY] }, { key: 'a key' }));
  const alert = randomUUID();
  await database.pool.query(
    `insert into notifications (user_id, actor_id, type, subject_id, data, created_at, alert, mail_waits_since)
     values ($1, $2, 'connection.requested', 1, '{}', now(), $3, now())`,
    [nell.id, moll.id, alert],
  );
  await database.pool.query(
    `insert into deliveries (alert, subscription_id, user_id, kind, state, due_at, at)
     values ($1, 1, $2, 'notification', 'queued', now(), now())`,
    [alert, nell.id],
  );
  // Due later, or the test server would send it before the backup.
  await database.db.transaction((tx) => queueSend(tx, alert, 1, DAY_MS));
}

export function useBackup(): BackedUp {
  const testServer = useTwoPerformers();
  const state = { testServer } as BackedUp;
  let madeIn = '';
  beforeAll(async () => {
    await fill(testServer, testServer);
    madeIn = await mkdtemp(path.join(tmpdir(), 'callboard-backups-'));
    const { connection } = testServer.database;
    const filesFolder = path.join(testServer.app.deps.config.dataDir, 'files');
    const source = { connection, storage: testServer.storage, filesFolder };
    state.backup = (await makeBackup(source, { to: madeIn })).folder;
  });
  afterAll(() => rm(madeIn, { recursive: true, force: true }));
  beforeEach(async () => {
    state.root = await mkdtemp(path.join(tmpdir(), 'callboard-restore-'));
    state.into = path.join(state.root, 'data');
    return () => rm(state.root, { recursive: true, force: true });
  });
  const config = readConfig({ DATA_DIR: '/nowhere', LOG_LEVEL: 'silent' });
  state.restore = (options = {}) =>
    restoreBackup({ backup: state.backup, into: state.into, config, log: quietLog, ...options });
  state.withRestored = async (work, dataDir = state.into) => {
    const database = await openDatabase(readConfig({ DATA_DIR: dataDir }), quietLog);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  state.askRestored = (text, values) => state.withRestored((database) => ask(database, text, values));
  state.restoreUntilKilled = (step) =>
    runUntilKilled(step, '/nowhere', { restore: { backup: state.backup, into: state.into, replace: true } });
  return state;
}

/** Makes or restores a backup in a process that kills itself when it comes to a step. */
export async function runUntilKilled(step: string, dataDir: string, work: object): Promise<void> {
  const file = path.join(import.meta.dirname, 'restore-process.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: projectRoot,
    env: { ...process.env, STEP: step, DATA_DIR: dataDir, WORK: JSON.stringify(work) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}
