import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { isFileKey, type Storage } from './storage.ts';

const UNFINISHED = 'unfinished';

/** Where a store in the folder `root` keeps a file. */
export function getFilePath(root: string, key: string): { folder: string; file: string } {
  if (!isFileKey(key)) throw new Error('Not a key of this store');
  const folder = path.join(root, key.slice(0, 2));
  return { folder, file: path.join(folder, key) };
}

/**
 * Stores files in a folder of the local disk, in 256 subfolders by the first two digits of their key. A write goes to `unfinished/` and
 * moves into place once it is synced, so a crash leaves complete files or none.
 * @param root absolute path; created when missing, readable only by this user
 */
export async function diskStorage(root: string): Promise<Storage> {
  const unfinished = path.join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });

  const toPath = (key: string) => getFilePath(root, key);

  async function* filesIn(folder: string) {
    for await (const entry of await opendir(folder)) if (entry.isFile()) yield path.join(folder, entry.name);
  }

  return {
    async write(key, bytes) {
      const { folder, file } = toPath(key);
      const partial = path.join(unfinished, `${key}-${randomBytes(4).toString('hex')}`);
      try {
        const sizeBytes = await writeSynced(partial, bytes);
        if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(root);
        await rename(partial, file);
        // Without this, a power failure may lose the name of a file whose bytes are safe.
        await syncFolder(folder);
        return sizeBytes;
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },

    async open(key, range) {
      const { file } = toPath(key);
      const handle = await openRegular(file);
      return handle === null ? null : handle.createReadStream({ ...range, autoClose: true });
    },

    async remove(key) {
      await rm(toPath(key).file, { force: true });
    },

    async *list() {
      for await (const entry of await opendir(root)) {
        if (!entry.isDirectory() || entry.name === UNFINISHED) continue;
        for await (const file of filesIn(path.join(root, entry.name))) {
          const found = await statOrNull(file);
          const key = path.basename(file);
          if (found !== null && isFileKey(key)) yield { key, storedAt: found.mtime, sizeBytes: found.size };
        }
      }
    },

    async check() {
      // Fails on a disk that is gone or has become read-only.
      await access(unfinished, constants.R_OK | constants.W_OK);
    },

    async clearUnfinished(before) {
      let cleared = 0;
      for await (const file of filesIn(unfinished)) {
        const found = await statOrNull(file);
        if (found === null || found.mtime >= before) continue;
        await rm(file, { force: true });
        cleared += 1;
      }
      return cleared;
    },
  };
}

async function writeSynced(file: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let sizeBytes = 0;
    for await (const chunk of bytes) {
      await handle.writeFile(chunk);
      sizeBytes += chunk.byteLength;
    }
    await handle.sync();
    return sizeBytes;
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens a file without following symbolic links; the store only holds regular files. */
async function openRegular(file: string) {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function statOrNull(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP');
}
