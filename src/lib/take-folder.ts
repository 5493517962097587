/**
 * Where takes lie in the origin private file system: `takes/<account>/<take>/`. Pages read and delete there; only the
 * dedicated worker of `src/workers/` writes, because Safari lets pages write nothing before version 26.
 */
const ROOT = 'takes';

/** The files of a take. The recording has the ending of its type. */
export const TAKE_FILES = { index: 'raw.idx', copy: 'copy.mp4' } as const;

/** 'raw.mp4' or 'raw.webm'. @param mime as the recorder gave it, with codecs */
export const getRawName = (mime: string): string => (mime.startsWith('video/mp4') ? 'raw.mp4' : 'raw.webm');

/** The path of a take's folder, below the root of the file system. @param store name of the account's store */
export const getTakePath = (store: string, take: string): string[] => [ROOT, encodeURIComponent(store), take];

/** Opens a folder below the root. Rejects with a NotFoundError if it is missing and not to be created. */
export async function openFolder(path: readonly string[], create = false): Promise<FileSystemDirectoryHandle> {
  let folder = await navigator.storage.getDirectory();
  for (const name of path) folder = await folder.getDirectoryHandle(name, { create });
  return folder;
}

const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';

/** Reads a file of a take without copying it; null if it is not there. */
export async function readTakeFile(path: readonly string[], name: string): Promise<File | null> {
  try {
    return await (await (await openFolder(path)).getFileHandle(name)).getFile();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Deletes a file or folder with everything in it. A missing one is no error. */
export async function removePath(path: readonly string[]): Promise<void> {
  try {
    await (await openFolder(path.slice(0, -1))).removeEntry(path.at(-1)!, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Deletes all takes of an account. Does nothing in a browser without this file system. */
export async function removeTakeFolders(store: string): Promise<void> {
  const storage = navigator.storage as Partial<StorageManager> | undefined;
  if (storage?.getDirectory) await removePath([ROOT, encodeURIComponent(store)]);
}
