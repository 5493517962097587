import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import * as z from 'zod/mini';
import { getFilePath } from '#server/platform/storage/disk.ts';
import { isFileKey, type Storage } from '#server/platform/storage/storage.ts';

/** A stored file in the list of a backup. */
const listedFile = z.object({
  key: z.string().check(z.refine(isFileKey)),
  size: z.int().check(z.nonnegative()),
  /** Of its bytes, when the backup has them. */
  sha256: z.optional(z.string()),
  /** The mark of an object store, when the bytes stay there. */
  etag: z.optional(z.string()),
});
export type ListedFile = z.infer<typeof listedFile>;

const getListPath = (folder: string) => path.join(folder, 'files.ndjson');
export const getFilesFolder = (folder: string): string => path.join(folder, 'files');

const PAGE_SIZE = 10_000;
/** Files that are copied at the same time. */
const CONCURRENCY = 8;

/** The files that the rows of a snapshot refer to, in the order of their keys. */
export async function* listReferencedFiles(
  client: Pick<pg.ClientBase, 'query'>,
  pageSize = PAGE_SIZE,
): AsyncGenerator<{ key: string; sizeBytes: number }> {
  // A database that an earlier release used last has no such table, and nothing to list of it.
  const { rows: known } = await client.query<{ found: boolean }>(
    `select to_regclass('public.direct_uploads') is not null as found`,
  );
  const direct = `union all select file_key, size_bytes from direct_uploads where file_key > $1 and state = 'ready'`;
  let last = '';
  for (;;) {
    const { rows } = await client.query<{ key: string; size: string }>(
      `select key, size_bytes as size from stored_files where key > $1
       union all select key, size_bytes from upload_parts where key > $1
       ${known[0]?.found === true ? direct : ''}
       order by key limit ${pageSize}`,
      [last],
    );
    for (const { key, size } of rows) yield { key, sizeBytes: Number(size) };
    if (rows.length < pageSize) return;
    last = rows.at(-1)?.key ?? last;
  }
}

/** Runs `work` for each item, some at a time, and gives the results in the order of the items. */
export async function* mapConcurrently<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // Awaited below. Until then, a failure must not count as unhandled.
    started.catch(() => undefined);
    running.push(started);
    if (running.length >= CONCURRENCY) yield running.shift() as Promise<Result>;
  }
  for (const each of running) yield each;
}

/** Writes the list line by line. @returns its digest */
export async function writeList(folder: string, files: AsyncIterable<ListedFile>): Promise<string> {
  const hash = createHash('sha256');
  async function* lines() {
    for await (const file of files) {
      const line = `${JSON.stringify(file)}\n`;
      hash.update(line);
      yield line;
    }
  }
  await pipeline(
    Readable.from(lines()),
    createWriteStream(getListPath(folder), { flags: 'wx', mode: 0o600, flush: true }),
  );
  return hash.digest('hex');
}

export async function digestList(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(getListPath(folder)), hash);
  return hash.digest('hex');
}

/** Reads a list whose digest was verified. */
export async function* readList(folder: string): AsyncGenerator<ListedFile> {
  for await (const line of createInterface({ input: createReadStream(getListPath(folder)), crlfDelay: Infinity })) {
    yield listedFile.parse(JSON.parse(line));
  }
}

interface Content {
  size: number;
  sha256: string;
}

/** Digests bytes, and writes them to `target` if there is one. */
async function digestBytes(bytes: Readable, target: Writable): Promise<Content> {
  const hash = createHash('sha256');
  let size = 0;
  async function* metered(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await pipeline(bytes, metered, target);
  return { size, sha256: hash.digest('hex') };
}

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Errors that mean: not by a link, but a copy may work. */
const NOT_LINKABLE = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Links a file into the folder of another store. @returns false if that is impossible between the two */
async function linkFile(from: string, root: string, key: string): Promise<boolean> {
  try {
    await link(from, getFilePath(root, key).file);
    return true;
  } catch (error) {
    if (NOT_LINKABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Brings a file into the folder `root` of a store: by a hard link, which takes no space, or by a copy. Files never change in place, so a link
 * stays what it is. @returns its content as it is in `root`; null if it does not exist
 */
export async function bringFile(
  key: string,
  from: { folder: string } | { storage: Storage },
  root: string,
): Promise<Content | null> {
  const { folder, file } = getFilePath(root, key);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ('folder' in from) {
    const source = getFilePath(from.folder, key).file;
    try {
      if (await linkFile(source, root, key)) return await digestBytes(createReadStream(file), discard());
      return await copyBytes(createReadStream(source), file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
  const bytes = await from.storage.open(key);
  return bytes === null ? null : copyBytes(bytes, file);
}

async function copyBytes(bytes: Readable, file: string): Promise<Content> {
  try {
    return await digestBytes(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Reads a file of a backup. @returns null if it does not exist */
export async function readContent(root: string, key: string): Promise<Content | null> {
  try {
    return await digestBytes(createReadStream(getFilePath(root, key).file), discard());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
