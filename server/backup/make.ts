import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { ConfigError } from '#server/platform/config.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { getFilePath } from '#server/platform/storage/disk.ts';
import type { Storage, StoredFile } from '#server/platform/storage/storage.ts';
import { copyTableOut, openCopyClient } from './copy.ts';
import {
  bringFile,
  getFilesFolder,
  listReferencedFiles,
  mapConcurrently,
  writeList,
  type ListedFile,
} from './files.ts';
import { readJobLines, writeJobLines } from './jobs.ts';
import { FORMAT, getManifestPath, writeManifest, type Manifest, type TableEntry } from './manifest.ts';
import { createPartial, finish, removeOld, removePartials, shareErasures } from './shelf.ts';
import { listErasures, readIdentity, takeLock } from './snapshot.ts';
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

const getRelease = async (): Promise<string> =>
  (JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version;

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

/** Words for what can go wrong while bytes are written. */
function toOperatorError(error: unknown, to: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ConfigError(`There is no space left in ${to}; nothing was kept. Free some, or choose another with --to`);
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new ConfigError(`${to} cannot be written (${code}). Choose another folder with --to`);
  }
  // The last is what the next statement on a lost connection gets.
  if (
    ['57P01', 'ECONNRESET', 'EPIPE'].includes(code ?? '') ||
    /Connection terminated|not queryable/.test((error as Error).message)
  ) {
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
    await shareErasures(to, erasures);
    await finish(partial, created.folder, to);
    partial = null;
    // An older backup may hold the files that this one lacks.
    if (keep !== undefined && files.missing.length === 0) {
      await removeOld(to, identity.installation, keep, created.folder);
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return { folder: created.folder, rows, files: files.count, bytes: files.bytes, missing: files.missing };
  } catch (error) {
    if (partial !== null) await rm(partial, { recursive: true, force: true });
    throw toOperatorError(error, to);
  } finally {
    await client.end().catch(() => undefined);
  }
}
