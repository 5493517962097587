/** Writes the slices of a take to disk, beside the page, so that no slow disk stops the picture. */
import { openFolder, removePath, TAKE_FILES } from '#lib/take-folder.ts';
import { cutToWholeSlices, ShortWriteError, startTakeLog, type TakeLength } from '#lib/take-log.ts';
import type { WriterAnswer, WriterRequest } from '#lib/take-messages.ts';

const PROBE_BYTES = 1024;

interface OpenFiles {
  raw: FileSystemSyncAccessHandle;
  index: FileSystemSyncAccessHandle;
}

/** Opens the two files of a take for this worker alone. */
async function openFiles(path: readonly string[], rawName: string, create: boolean): Promise<OpenFiles> {
  const folder = await openFolder(path, create);
  const open = async (name: string) => (await folder.getFileHandle(name, { create })).createSyncAccessHandle();
  const raw = await open(rawName);
  try {
    return { raw, index: await open(TAKE_FILES.index) };
  } catch (error) {
    raw.close();
    throw error;
  }
}

const closeFiles = ({ raw, index }: OpenFiles) => {
  raw.close();
  index.close();
};

async function probe(): Promise<null> {
  const path = ['takes', `probe-${crypto.randomUUID()}`];
  const { raw, index } = await openFiles(path, 'probe', true);
  const given = crypto.getRandomValues(new Uint8Array(PROBE_BYTES));
  const found = new Uint8Array(PROBE_BYTES);
  raw.write(given, { at: 0 });
  raw.flush();
  raw.read(found, { at: 0 });
  closeFiles({ raw, index });
  await removePath(path);
  if (!given.every((byte, at) => byte === found[at])) throw new Error('The file system returned other bytes');
  return null;
}

let open: { files: OpenFiles; append: ReturnType<typeof startTakeLog> } | null = null;

async function answer(request: WriterRequest): Promise<TakeLength | null> {
  switch (request.type) {
    case 'probe':
      return probe();
    case 'open': {
      const files = await openFiles(request.path, request.raw, true);
      open = { files, append: startTakeLog(files) };
      return null;
    }
    case 'append':
      if (open === null) throw new Error('No take is open');
      return open.append(new Uint8Array(request.bytes), request.endMs);
    case 'close':
      if (open) closeFiles(open.files);
      open = null;
      return null;
    case 'recover': {
      const files = await openFiles(request.path, request.raw, false);
      try {
        return cutToWholeSlices(files);
      } finally {
        closeFiles(files);
      }
    }
  }
}

const isFull = (error: unknown) =>
  error instanceof ShortWriteError || (error instanceof DOMException && error.name === 'QuotaExceededError');

async function reply(n: number, request: WriterRequest): Promise<WriterAnswer> {
  try {
    return { n, ok: true, length: await answer(request) };
  } catch (error) {
    return { n, ok: false, reason: isFull(error) ? 'full' : 'failed', message: String(error) };
  }
}

// One after the other: a slice must not be written while the one before it is.
let last: Promise<unknown> = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<{ n: number; request: WriterRequest }>) => {
  last = last.then(async () => postMessage(await reply(data.n, data.request)));
});
