import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { noteErasures, readErasures, type Erasure } from '#server/features/account/erasure-file.ts';
import { ConfigError } from '#server/platform/config.ts';
import type { Connection } from '#server/platform/db/connect.ts';
import { toInstallationId } from '#server/platform/db/installation.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { BACKUP_LOCK } from '#server/platform/storage/backup-lock.ts';
import { getFilePath } from '#server/platform/storage/disk.ts';
import type { Storage, StoredFile } from '#server/platform/storage/storage.ts';
import { copyTableOut, openCopyClient } from './copy.ts';
import {
  bringFile,
  getFilesFolder,
  listReferencedFiles,
  mapConcurrently,
  syncFolder,
  writeList,
  type ListedFile,
} from './files.ts';
import { readJobLines, writeJobLines } from './jobs.ts';
import { FORMAT, getManifestPath, readManifest, writeManifest, type Manifest, type TableEntry } from './manifest.ts';
import { LEFT_OUT, listEnums, listSequences, listTables } from './tables.ts';

/** Tells what is going on, for a person who waits. May take its time. */
export type Progress = (step: string) => void | Promise<void>;

export interface BackupSource {
  connection: Connection;
  storage: Storage;
  /** Folder of the files on disk; absent when they are in a bucket. */
  filesFolder?: string | undefined;
}

export interface BackupOptions {
  /** The folder that holds backups. */
  to: string;
  /** How many backups of this Callboard to keep there; all if absent. */
  keep?: number | undefined;
  /** Whether the bytes of files in a bucket are copied too. */
  withBucketFiles?: boolean;
  progress?: Progress;
  now?: Date;
}

export interface BackupMade {
  folder: string;
  rows: number;
  files: number;
  bytes: number;
  /** Files that a row refers to, but the store does not hold. */
  missing: string[];
}

const PARTIAL = '.partial';
/** In an unfinished backup: whose it is. */
const OWNER_FILE = 'installation';
const NAME = /^callboard-\d{8}T\d{6}Z(-\d+)?$/;
/** How long to wait for the removal of files that is under way. */
const LOCK_TIMEOUT_MS = 60_000;

const toName = (time: Date) => `callboard-${time.toISOString().replace(/[-:]|\.\d+/g, '')}`;

interface Identity {
  installation: string;
  epoch: string;
  migrations: Manifest['migrations'];
  postgres: string;
}

/** The accounts that the database knows to be deleted. */
async function listErasures(client: pg.Client, installation: string): Promise<Erasure[]> {
  const { rows: found } = await client.query<{ table: string | null }>(
    `select to_regclass('public.erasures')::text as table`,
  );
  // A database from before the table had this name.
  if (found[0]?.table == null) return [];
  const { rows } = await client.query<{ user: string; at: Date }>(
    'select user_id as user, erased_at as at from erasures',
  );
  return rows.map(({ user, at }) => ({ installation, user: Number(user), at: at.toISOString() }));
}

/** Notes deletions beside the backups, so that a restore of an older one knows them too. */
async function shareErasures(to: string, erasures: readonly Erasure[]): Promise<void> {
  const noted = new Set((await readErasures(to)).map(({ installation, user }) => `${installation} ${user}`));
  const unknown = erasures.filter(({ installation, user }) => !noted.has(`${installation} ${user}`));
  if (unknown.length > 0) await noteErasures(to, unknown);
}

/** Keeps files from being removed, and other backups from being made, as long as this connection lives. */
async function takeLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1, 1) as free', [BACKUP_LOCK]);
  if (!rows[0]?.free) {
    throw new ConfigError('Another backup of this Callboard is being made. Wait until it ends, then try again');
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]).catch((error: { code?: string }) => {
    if (error.code !== '55P03') throw error;
    throw new ConfigError('Files are being removed for longer than a minute. Try again when the server is less busy');
  });
  await client.query('set lock_timeout = 0');
}

async function readIdentity(client: pg.Client): Promise<Identity> {
  const exists = await client.query<{ found: string | null }>(
    `select to_regclass('public.installation')::text as found`,
  );
  const found =
    exists.rows[0]?.found == null
      ? []
      : (
          await client.query<{ link_secret: string; epoch: string; postgres: string }>(
            `select link_secret, epoch, current_setting('server_version') as postgres from installation`,
          )
        ).rows;
  if (found[0] === undefined) {
    throw new ConfigError('This database was never used by Callboard. Check DATA_DIR or DATABASE_URL');
  }
  const { rows } = await client.query<{ at: string; hash: string }>(
    'select created_at as at, hash from drizzle.__drizzle_migrations order by created_at',
  );
  return {
    installation: toInstallationId(found[0].link_secret),
    epoch: found[0].epoch,
    postgres: found[0].postgres,
    migrations: rows.map(({ at, hash }) => ({ at: Number(at), hash })),
  };
}

const getRelease = async (): Promise<string> =>
  (JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version;

/** Creates the folder of an unfinished backup under a name that no other has. */
async function createPartial(
  to: string,
  now: Date,
  installation: string,
): Promise<{ partial: string; folder: string }> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const folder = path.join(to, attempt === 1 ? toName(now) : `${toName(now)}-${attempt}`);
    const partial = folder + PARTIAL;
    const taken = await readdir(folder).catch(() => null);
    if (taken !== null) continue;
    try {
      await mkdir(partial, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    await writeFile(path.join(partial, OWNER_FILE), installation, { mode: 0o600 });
    for (const name of ['database', 'files']) await mkdir(path.join(partial, name), { mode: 0o700 });
    return { partial, folder };
  }
}

/** Removes what killed backups of this Callboard left. The lock tells that none of them is still being made. */
async function removePartials(to: string, installation: string): Promise<void> {
  for (const name of await readdir(to).catch(() => [])) {
    const folder = path.join(to, name);
    if (!name.endsWith(PARTIAL) || !NAME.test(name.slice(0, -PARTIAL.length))) continue;
    const owner = await readFile(path.join(folder, OWNER_FILE), 'utf8').catch(() => null);
    if (owner === installation) await rm(folder, { recursive: true, force: true });
  }
}

/** The complete backups of a Callboard in a folder, oldest first. */
export async function listBackups(to: string, installation: string): Promise<{ folder: string; madeAt: string }[]> {
  const found: { folder: string; madeAt: string }[] = [];
  for (const name of await readdir(to).catch(() => [])) {
    if (!NAME.test(name)) continue;
    const folder = path.join(to, name);
    const manifest = await readManifest(folder).catch((error: unknown) => {
      // A damaged backup is not counted, and not removed.
      if (error instanceof ConfigError) return null;
      throw error;
    });
    if (manifest?.installation === installation) found.push({ folder, madeAt: manifest.made_at });
  }
  return found.sort((a, b) => (a.madeAt < b.madeAt ? -1 : a.madeAt > b.madeAt ? 1 : a.folder < b.folder ? -1 : 1));
}

async function copyTables(client: pg.Client, folder: string, progress: Progress): Promise<TableEntry[]> {
  const tables = (await listTables(client)).filter(({ name }) => !LEFT_OUT.has(name));
  const entries: TableEntry[] = [];
  for (const table of tables) {
    await progress(`Copying table ${entries.length + 1} of ${tables.length} (${table.name})`);
    entries.push({ ...table, ...(await copyTableOut(client, table, folder)) });
  }
  return entries;
}

/** The files of a bucket. Its bytes stay there unless they are asked for. */
async function listBucket(storage: Storage): Promise<Map<string, StoredFile>> {
  const found = new Map<string, StoredFile>();
  for await (const file of storage.list()) found.set(file.key, file);
  return found;
}

type FilesEntry = Manifest['files'];
type Referenced = { key: string; sizeBytes: number };

/** How to take one file into the backup. @returns null if the store does not hold it as its row describes it */
async function fileTaker(
  { storage, filesFolder }: BackupSource,
  target: string,
  hasBytes: boolean,
): Promise<(file: Referenced) => Promise<ListedFile | null>> {
  if (!hasBytes) {
    const bucket = await listBucket(storage);
    return async ({ key, sizeBytes }) => {
      const found = bucket.get(key);
      return found?.sizeBytes === sizeBytes ? { key, size: sizeBytes, etag: found.etag } : null;
    };
  }
  const from = filesFolder === undefined ? { storage } : { folder: filesFolder };
  return async ({ key, sizeBytes }) => {
    const content = await bringFile(key, from, target);
    if (content?.size === sizeBytes) return { key, ...content };
    // A damaged file is no better than a missing one.
    if (content !== null) await rm(getFilePath(target, key).file);
    return null;
  };
}

async function copyFiles(
  source: BackupSource,
  files: readonly Referenced[],
  folder: string,
  { hasBytes, progress }: { hasBytes: boolean; progress: Progress },
): Promise<FilesEntry> {
  const take = await fileTaker(source, getFilesFolder(folder), hasBytes);
  const missing: string[] = [];
  let count = 0;
  let bytes = 0;
  async function* listed(): AsyncGenerator<ListedFile> {
    const taken = mapConcurrently(files, async (file) => ({ key: file.key, found: await take(file) }));
    for await (const { key, found } of taken) {
      if ((count + missing.length) % 100 === 0)
        await progress(`Copying file ${count + missing.length + 1} of ${files.length}`);
      if (found === null) {
        missing.push(key);
        continue;
      }
      count += 1;
      bytes += found.size;
      yield found;
    }
  }
  const sha256 = await writeList(folder, listed());
  return { has_bytes: hasBytes, count, bytes, missing, sha256 };
}

/** Makes everything durable and gives the backup its name. */
async function finish(partial: string, folder: string, to: string): Promise<void> {
  await rm(path.join(partial, OWNER_FILE));
  for (const name of await readdir(partial, { recursive: true, withFileTypes: true })) {
    if (name.isDirectory()) await syncFolder(path.join(name.parentPath, name.name));
  }
  await syncFolder(partial);
  await rename(partial, folder);
  await syncFolder(to);
}

/** Removes the oldest backups of this Callboard beyond `keep`. */
async function removeOld(to: string, installation: string, keep: number): Promise<void> {
  const all = await listBackups(to, installation);
  for (const { folder } of all.slice(0, Math.max(0, all.length - keep))) {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Words for what can go wrong while bytes are written. */
function toOperatorError(error: unknown, to: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ConfigError(`There is no space left in ${to}; nothing was kept. Free some, or choose another with --to`);
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new ConfigError(`${to} cannot be written (${code}). Choose another folder with --to`);
  }
  if (code === '57P01' || code === 'ECONNRESET' || /Connection terminated/.test((error as Error).message)) {
    return new ConfigError('The database ended while the backup was made; nothing was kept. Try again');
  }
  return error;
}

/**
 * Makes a backup: all rows as of one moment, and every file that they refer to. The server may run meanwhile. The folder gets its name when
 * everything is written, so a folder with that name is complete.
 * @throws ConfigError that says what to do; nothing is kept then
 */
export async function makeBackup(source: BackupSource, options: BackupOptions): Promise<BackupMade> {
  const { to, keep, withBucketFiles = false, progress = () => {}, now = new Date() } = options;
  const client = await openCopyClient(source.connection);
  let partial: string | null = null;
  try {
    await takeLock(client);
    // Only now: a snapshot from before the lock could refer to files that were removed until then.
    await client.query('begin isolation level repeatable read read only');
    const identity = await readIdentity(client);
    await removePartials(to, identity.installation);
    const created = await createPartial(to, now, identity.installation);
    partial = created.partial;
    const tables = await copyTables(client, partial, progress);
    const enums = await listEnums(client);
    const jobs = await writeJobLines(partial, readJobLines(client));
    const referenced: Referenced[] = [];
    for await (const file of listReferencedFiles(client)) referenced.push(file);
    const sequences = await listSequences(client);
    const erasures = await listErasures(client, identity.installation);
    // Old versions of rows can be cleaned up again while files are copied. The lock stays.
    await client.query('commit');
    const hasBytes = source.filesFolder !== undefined || withBucketFiles;
    const files = await copyFiles(source, referenced, partial, { hasBytes, progress });
    const manifest: Manifest = {
      format: FORMAT,
      made_at: now.toISOString(),
      release: await getRelease(),
      ...identity,
      enums,
      tables,
      sequences,
      jobs,
      files,
    };
    await progress('Finishing');
    await writeFile(getManifestPath(partial), writeManifest(manifest), { mode: 0o600, flag: 'wx', flush: true });
    await finish(partial, created.folder, to);
    partial = null;
    await shareErasures(to, erasures);
    // An older backup may hold the files that this one lacks.
    if (keep !== undefined && files.missing.length === 0) await removeOld(to, identity.installation, keep);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { folder: created.folder, rows, files: files.count, bytes: files.bytes, missing: files.missing };
  } catch (error) {
    if (partial !== null) await rm(partial, { recursive: true, force: true });
    throw toOperatorError(error, to);
  } finally {
    await client.end().catch(() => undefined);
  }
}
