/**
 * Makes an MP4 of a recording, beside the page: one job per worker, and ending the worker cancels it. The build keeps this
 * worker out of what every device installs, because it is larger than the rest of the app (decision 051).
 */
import {
  BlobSource,
  BufferTarget,
  Input,
  MATROSKA,
  MP4,
  QTFF,
  StreamTarget,
  type StreamTargetChunk,
  WEBM,
} from 'mediabunny';
import { openFolder, TAKE_FILES } from '#lib/take-folder.ts';
import type { FinishedCopy, FinishMessage, FinishRequest, PrepareRequest, TimeRange } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';
import { copyToMp4 } from './mp4-copy.ts';
import { proveCopy } from './mp4-proof.ts';
import { loadAacEncoder } from './mp4-sound.ts';

/** Messages about progress are at least this far apart. */
const PROGRESS_INTERVAL_MS = 100;

const tell = (message: FinishMessage, transfer: Transferable[] = []) => postMessage(message, { transfer });

function createProgress(): (done: number, total: number) => void {
  let toldAt = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - toldAt < PROGRESS_INTERVAL_MS && done < total) return;
    toldAt = now;
    tell({ type: 'progress', done, total });
  };
}

async function copyToFolder(input: Input, range: TimeRange | null, path: readonly string[]): Promise<FinishedCopy> {
  const file = await (await openFolder(path)).getFileHandle(TAKE_FILES.copy, { create: true });
  const handle = await file.createSyncAccessHandle();
  let expected;
  try {
    handle.truncate(0);
    const writable = new WritableStream<StreamTargetChunk>({
      write({ data, position }) {
        if (handle.write(data, { at: position }) !== data.byteLength) throw new FinishError('full', 'A short write');
      },
    });
    expected = await copyToMp4(input, range, new StreamTarget(writable, { chunked: true }), createProgress());
    handle.flush();
  } finally {
    handle.close();
  }
  return proveCopy(await file.getFile(), expected);
}

async function copyToMemory(
  input: Input,
  range: TimeRange | null,
): Promise<{ copy: FinishedCopy; bytes: ArrayBuffer }> {
  const target = new BufferTarget();
  const expected = await copyToMp4(input, range, target, createProgress());
  if (target.buffer === null) throw new FinishError('failed', 'The output has no bytes');
  return { copy: await proveCopy(new Blob([target.buffer]), expected), bytes: target.buffer };
}

async function finish({ file, range, path }: FinishRequest): Promise<void> {
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new BlobSource(file) });
  if (path !== null) {
    tell({ type: 'finished', copy: await copyToFolder(input, range, path), bytes: null });
    return;
  }
  const { copy, bytes } = await copyToMemory(input, range);
  tell({ type: 'finished', copy, bytes }, [bytes]);
}

function toFailure(error: unknown): FinishMessage {
  const message = String(error);
  if (error instanceof FinishError) return { type: 'failed', reason: error.reason, message };
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { type: 'failed', reason: isFull ? 'full' : 'failed', message };
}

async function answer(request: FinishRequest | PrepareRequest): Promise<void> {
  if (request.type === 'finish') return finish(request);
  await loadAacEncoder();
  tell({ type: 'prepared' });
}

addEventListener('message', ({ data }: MessageEvent<FinishRequest | PrepareRequest>) => {
  answer(data).catch((error: unknown) => tell(toFailure(error)));
});
