import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, type S3Settings } from '#server/platform/config.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { s3Storage } from '#server/platform/storage/s3.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { startS3Server } from './s3-server.ts';

/** Where the files of a test are stored. */
export interface TestStore {
  /** Settings that a server needs for this store. Empty for the folder in its data directory. */
  env: Record<string, string>;
  /** Removes everything that was stored. */
  close: () => Promise<void>;
}

/** The store under test: `s3` in the S3 suite, otherwise `disk`. */
export const storeKind = process.env.TEST_STORE === 's3' ? 's3' : 'disk';

/** Converts S3 settings to environment variables. */
export function toEnv({ endpoint, pathStyle, direct, ...settings }: S3Settings): Record<string, string> {
  return {
    S3_BUCKET: settings.bucket,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    S3_PATH_STYLE: pathStyle ? '1' : '0',
    ...(endpoint !== undefined && { S3_ENDPOINT: endpoint }),
    ...(settings.prefix !== '' && { S3_PREFIX: settings.prefix }),
    ...(direct !== undefined && { DIRECT_UPLOADS: '1' }),
  };
}

/** Opens a separate prefix in the bucket that the environment names, or an in-memory object store. */
export async function openS3Store(): Promise<TestStore & { settings: S3Settings }> {
  const configured = readConfig(process.env).s3;
  if (configured === undefined) {
    const server = await startS3Server();
    return { settings: server.settings, env: toEnv(server.settings), close: server.close };
  }
  const settings = { ...configured, prefix: `${configured.prefix}callboard-test-${randomBytes(6).toString('hex')}/` };
  const close = async () => {
    const storage = await s3Storage(settings);
    for await (const { key } of storage.list()) await storage.remove(key);
    await storage.clearUnfinished(new Date(Date.now() + 60_000));
  };
  return { settings, env: toEnv(settings), close };
}

/** Opens a store for a server with its own data directory. */
export async function openTestStore(): Promise<TestStore> {
  return storeKind === 's3' ? openS3Store() : { env: {}, close: async () => {} };
}

/** Opens a store by itself, the way the server does. */
export async function openTestStorage(): Promise<{ storage: Storage; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-store-'));
  const store = await openTestStore();
  const storage = await openStorage(readConfig({ DATA_DIR: folder, ...store.env }));
  const close = async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { storage, close };
}
