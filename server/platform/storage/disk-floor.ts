import { statfs } from 'node:fs/promises';
import type { Config } from '#server/platform/config.ts';
import { insufficientStorage } from '#server/platform/http/errors.ts';
import type { Storage } from './storage.ts';

/** Returns the free bytes on the disk of a folder, for an unprivileged process. */
export type FreeDisk = (folder: string) => Promise<number>;

const freeDisk: FreeDisk = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** How much a stream may write before the disk is looked at again, in bytes. */
const STEP_BYTES = 8 * 1024 * 1024;

/**
 * Keeps a minimum of the disk free: a full disk would stop the database, and with it the whole app. What is asked before a request is only
 * what its sender claims, and many may ask at once, so that everything written to the disk is metered too.
 * @throws 507 from every method when storing this many bytes would leave less than the minimum
 */
export function diskFloor({
  config,
  freeDiskBytes = freeDisk,
}: {
  config: Pick<Config, 'dataDir' | 'minFreeDiskBytes' | 's3'>;
  freeDiskBytes?: FreeDisk | undefined;
}) {
  /** What streams may write and have not written yet, in bytes. */
  let grantedBytes = 0;
  /** @param granted how many of the bytes are granted at once, so that nobody else is granted the same */
  async function requireSpace(bytes: number, granted = 0): Promise<void> {
    const free = config.minFreeDiskBytes === 0 ? Infinity : await freeDiskBytes(config.dataDir);
    if (free - grantedBytes - bytes < config.minFreeDiskBytes) throw insufficientStorage();
    grantedBytes += granted;
  }
  async function* meter(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let left = 0;
    const take = (bytes: number) => {
      left -= bytes;
      grantedBytes -= bytes;
    };
    try {
      for await (const chunk of source) {
        if (chunk.byteLength > left) {
          take(left);
          const step = Math.max(STEP_BYTES, chunk.byteLength);
          await requireSpace(step, step);
          left = step;
        }
        yield chunk;
        take(chunk.byteLength);
      }
    } finally {
      take(left);
    }
  }
  return {
    /** Passes bytes on to the disk, as long as there is room. */
    meter,
    /** The same store, which takes no more than there is room for. A bucket has no limit. */
    guard: (storage: Storage): Storage =>
      config.s3 ? storage : { ...storage, write: (key, bytes) => storage.write(key, meter(bytes)) },
    /** For files that are staged in the data folder for inspection, wherever they are stored in the end. */
    requireStagingSpace: (bytes: number) => requireSpace(bytes),
    /** For files that are stored. A bucket has no limit. */
    requireStorageSpace: async (bytes: number) => {
      if (config.s3 === undefined) await requireSpace(bytes);
    },
  };
}

export type DiskFloor = ReturnType<typeof diskFloor>;
