import { statfs } from 'node:fs/promises';
import type { Config } from '#server/platform/config.ts';
import { insufficientStorage } from '#server/platform/http/errors.ts';

/** Bytes that a process without privileges may still write to the disk of this folder. */
export type FreeDisk = (folder: string) => Promise<number>;

const freeDisk: FreeDisk = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Keeps a part of the disk free: a full one would stop the database, and with it everything else that people do.
 * @throws 507 from both where taking so many more bytes would leave less than the floor
 */
export function diskFloor({
  config,
  freeDiskBytes = freeDisk,
}: {
  config: Pick<Config, 'dataDir' | 'minFreeDiskBytes' | 's3'>;
  freeDiskBytes?: FreeDisk | undefined;
}) {
  async function requireRoom(bytes: number): Promise<void> {
    if (config.minFreeDiskBytes === 0) return;
    if ((await freeDiskBytes(config.dataDir)) - bytes < config.minFreeDiskBytes) throw insufficientStorage();
  }
  return {
    /** For files that pass through the data folder to be looked at, wherever they are kept. */
    requireStagingRoom: requireRoom,
    /** For files that are kept. A bucket has no floor. */
    requireStoreRoom: async (bytes: number) => {
      if (config.s3 === undefined) await requireRoom(bytes);
    },
  };
}

export type DiskFloor = ReturnType<typeof diskFloor>;
