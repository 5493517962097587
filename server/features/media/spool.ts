import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DiskFloor } from '#server/platform/storage/disk-floor.ts';

export interface SpooledFile {
  file: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** In the data directory, because the system's temporary folder is often in memory. */
const stagingFolder = (dataDir: string) => path.join(dataDir, 'passing');

/** Runs `work` with a temporary folder, which is always removed afterwards. */
export async function withFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(stagingFolder(dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(stagingFolder(dataDir), 'call-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder for the files of one request, on a disk that must not become full. */
export interface Staging {
  folder: string;
  floor: Pick<DiskFloor, 'meter'>;
}

/** Streams bytes to a file in the folder, holding at most one chunk in memory. @throws 507 if the disk is too full */
export async function spool(bytes: AsyncIterable<Uint8Array>, { folder, floor }: Staging): Promise<SpooledFile> {
  const file = path.join(folder, randomUUID());
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      yield chunk;
    }
  }
  await pipeline(floor.meter(bytes), counted, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return { file, sizeBytes, sha256: hash.digest('hex') };
}

/** Removes temporary folders left behind by a killed server: those unmodified since `before`. */
export async function clearStagingFolder(dataDir: string, before: Date): Promise<void> {
  await mkdir(stagingFolder(dataDir), { recursive: true, mode: 0o700 });
  for (const name of await readdir(stagingFolder(dataDir))) {
    const folder = path.join(stagingFolder(dataDir), name);
    const found = await stat(folder).catch(() => null);
    if (found !== null && found.mtime < before) await rm(folder, { recursive: true, force: true });
  }
}
