import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

/** Runs `work` with a folder of its own for passing files, gone afterwards whatever happens. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets the bytes run into a file of `folder`, never more than a chunk in memory; answers the file. */
export async function spool(bytes: AsyncIterable<Uint8Array>, folder: string): Promise<string> {
  const file = path.join(folder, randomUUID());
  await pipeline(bytes, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return file;
}
