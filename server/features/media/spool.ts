import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface SpooledFile {
  file: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Runs `work` with a folder of its own for passing files, gone afterwards whatever happens. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets the bytes run into a file of `folder`, never more than a chunk in memory. */
export async function spool(bytes: AsyncIterable<Uint8Array>, folder: string): Promise<SpooledFile> {
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
  await pipeline(bytes, counted, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return { file, sizeBytes, sha256: hash.digest('hex') };
}
