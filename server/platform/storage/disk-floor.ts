import { statfs } from 'node:fs/promises';
import type { Config } from '#server/platform/config.ts';
import { insufficientStorage } from '#server/platform/http/errors.ts';

/** Returns the free bytes on the disk of a folder, for an unprivileged process. */
export type FreeDisk = (folder: string) => Promise<number>;

const freeDisk: FreeDisk = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Keeps a minimum of the disk free: a full disk would stop the database, and with it the whole app.
 * @throws 507 from both methods when storing this many bytes would leave less than the minimum
 */
export function diskFloor({
  config,
  freeDiskBytes = freeDisk,
}: {
  config: Pick<Config, 'dataDir' | 'minFreeDiskBytes' | 's3'>;
  freeDiskBytes?: FreeDisk | undefined;
}) {
  async function requireSpace(bytes: number): Promise<void> {
    if (config.minFreeDiskBytes === 0) return;
    if ((await freeDiskBytes(config.dataDir)) - bytes < config.minFreeDiskBytes) throw insufficientStorage();
  }
  return {
    /** For files that are staged in the data folder for inspection, wherever they are stored in the end. */
    requireStagingSpace: requireSpace,
    /** For files that are stored. A bucket has no limit. */
    requireStorageSpace: async (bytes: number) => {
      if (config.s3 === undefined) await requireSpace(bytes);
    },
  };
}

export type DiskFloor = ReturnType<typeof diskFloor>;
