import { createReadStream } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ConfigError, type Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/connect.ts';
import { openEmbedded, openExternal } from '#server/platform/db/open.ts';
import type { Log } from '#server/platform/log.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { getFilePath } from '#server/platform/storage/disk.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { collectErasures, settle, tryServer, type Changed } from './after-restore.ts';
import { bringFile, getFilesFolder, mapConcurrently, readList, syncFolder } from './files.ts';
import { moveIntoPlace, openTarget, type Target } from './folders.ts';
import { loadBackup, type Loaded } from './load.ts';
import type { Progress } from './make.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { verifyBackup } from './verify.ts';

export interface RestoreOptions {
  /** The folder of one backup. */
  backup: string;
  /** The data directory to make. */
  into: string;
  /** Does everything, but removes the result instead of putting it in place. */
  check?: boolean;
  /** Keeps what is in `into` beside it, instead of refusing to touch it. */
  replace?: boolean;
  /** Signs everybody out. */
  endSessions?: boolean;
  /** Folders whose `erasures.jsonl` may know of accounts that were deleted after the backup. */
  erasureFolders?: readonly string[];
  config: Config;
  log: Log;
  progress?: Progress;
}

export interface Restored extends Loaded, Changed {
  files: number;
  /** What was in the folder before; null if nothing was. */
  restorePoint: string | null;
}

/** Whether nobody has put anything into the database. */
async function requireEmpty({ pool }: Database): Promise<void> {
  const { rows } = await pool.query(
    `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'S')
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     limit 1`,
  );
  if (rows.length > 0) {
    throw new ConfigError(
      'The database of DATABASE_URL is not empty. Create a new one for the restore, and let the servers use it afterwards',
    );
  }
}

/** A check has no effect on anything but the new folder, so it uses a database of its own. */
async function openDatabaseFor(
  { fresh }: Target,
  { config: { databaseUrl }, check, log }: RestoreOptions,
): Promise<Database> {
  if (databaseUrl === undefined || check) return openEmbedded(fresh, log);
  const database = await openExternal(databaseUrl, log);
  try {
    await requireEmpty(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Puts the files of a backup into the folder of a new store. Their content is compared once more. */
async function placeFiles(backup: string, fresh: string, manifest: Manifest, progress: Progress): Promise<void> {
  const root = path.join(fresh, 'files');
  let count = 0;
  const placed = mapConcurrently(readList(backup), async ({ key, sha256 }) => {
    const content = await bringFile(key, { folder: getFilesFolder(backup) }, root);
    if (content?.sha256 !== sha256) throw new ConfigError(`The file ${key} changed meanwhile. Try again`);
    return getFilePath(root, key).folder;
  });
  const folders = new Set<string>();
  for await (const folder of placed) {
    folders.add(folder);
    if (count % 100 === 0) await progress(`Placing file ${count + 1} of ${manifest.files.count}`);
    count += 1;
  }
  for (const folder of [...folders, root]) await syncFolder(folder);
}

/** Puts the files of a backup into a bucket. Files that it holds already are the same, because a key never gets other bytes. */
async function uploadFiles(backup: string, storage: Storage, manifest: Manifest, progress: Progress): Promise<void> {
  const present = new Set<string>();
  for await (const { key, sizeBytes } of storage.list()) present.add(`${key} ${sizeBytes}`);
  let count = 0;
  const root = getFilesFolder(backup);
  const uploaded = mapConcurrently(readList(backup), async ({ key, size }) => {
    if (present.has(`${key} ${size}`)) return null;
    if (!manifest.files.has_bytes) return key;
    await storage.write(key, Readable.from(createReadStream(getFilePath(root, key).file)));
    return null;
  });
  for await (const missing of uploaded) {
    if (missing !== null) {
      throw new ConfigError(
        `The bucket lacks the file ${missing}, and the backup holds no bytes. Restore the bucket to the time of the backup first`,
      );
    }
    if (count % 100 === 0) await progress(`Uploading file ${count + 1} of ${manifest.files.count}`);
    count += 1;
  }
}

/** The store of the restored server, filled. */
async function openFiles(
  { backup, config, check }: RestoreOptions,
  target: Target,
  manifest: Manifest,
  progress: Progress,
) {
  if (config.s3 !== undefined && !(check && manifest.files.has_bytes)) {
    const storage = await openStorage(config);
    await uploadFiles(backup, storage, manifest, progress);
    return storage;
  }
  if (!manifest.files.has_bytes && manifest.files.count > 0) {
    throw new ConfigError(
      'The files of this backup are in a bucket. Set the S3_ settings of that bucket, or make the backup with --files',
    );
  }
  await placeFiles(backup, target.fresh, manifest, progress);
  return openStorage({ ...config, s3: undefined, dataDir: target.fresh });
}

/** What PostgreSQL needs for its next step. */
const FULL_DISK_BYTES = 32 * 1024 * 1024;

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < FULL_DISK_BYTES;
}

/** Words for what can go wrong while bytes are written. */
async function toOperatorError(error: unknown, into: string): Promise<unknown> {
  const { code, message } = error as { code?: string; message: string };
  const isFullDisk = /No space left on device/.test(message);
  if (error instanceof ConfigError && !isFullDisk) return error;
  // 53100 is PostgreSQL's: disk full. It may also end when it cannot write, and then says nothing.
  if (isFullDisk || code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || (await isFull(path.dirname(into)))) {
    return new ConfigError(
      `There is no space left beside ${into}; nothing was changed. Free some, or choose another with --into`,
    );
  }
  if (code === 'EACCES' || code === 'EROFS') {
    return new ConfigError(`The folder of ${into} cannot be written (${code}). Choose another with --into`);
  }
  return error;
}

/**
 * Restores a backup into a new data directory, checks it, and puts it in place. With DATABASE_URL, the rows go into that empty database.
 * @throws ConfigError that says what to do; the folder is as it was then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { backup, config, check = false, replace = false, endSessions = false, progress = () => {} } = options;
  // What takes a moment first: comparing everything may take long.
  await readManifest(backup);
  const target = await openTarget(options.into, { replace, check });
  let database: Database | null = null;
  let isLoading = false;
  try {
    const manifest = await verifyBackup(backup, progress);
    const opened = await openDatabaseFor(target, options);
    database = opened;
    isLoading = config.databaseUrl !== undefined && !check;
    const storage = await openFiles(options, target, manifest, progress);
    const loaded = await loadBackup(opened, backup, manifest, progress);
    await progress('Deleting accounts again that were deleted since');
    const folders = [target.into, path.dirname(backup), ...(options.erasureFolders ?? [])];
    const changed = await settle(opened, {
      known: await collectErasures(folders, manifest.installation),
      installationId: manifest.installation,
      endSessions,
      folder: target.fresh,
    });
    await progress('Trying the server on it');
    await tryServer(opened, storage, { ...config, dataDir: target.fresh });
    await opened.close();
    database = null;
    const restorePoint = check ? null : await moveIntoPlace(target, progress);
    return { ...loaded, ...changed, files: manifest.files.count, restorePoint };
  } catch (error) {
    const described = await toOperatorError(error, target.into);
    if (!isLoading || !(described instanceof ConfigError)) throw described;
    throw new ConfigError(
      `${described.message}. Drop the database of DATABASE_URL and create it again before you retry`,
    );
  } finally {
    await database?.close();
    // In place, it has another name.
    await rm(target.fresh, { recursive: true, force: true });
  }
}
