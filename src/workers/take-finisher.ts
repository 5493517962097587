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
import type {
  ConvertRequest,
  FinishedCopy,
  FinisherRequest,
  FinishMessage,
  FinishRequest,
} from '#lib/take-messages.ts';
import { planConversion } from './convert.ts';
import { FinishError } from './finish-error.ts';
import { type CopyOptions, copyToMp4 } from './mp4-copy.ts';
import { proveCopy } from './mp4-proof.ts';
import { loadAacEncoder } from './mp4-sound.ts';
import { setPaused } from './pause.ts';

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

type Options = Omit<CopyOptions, 'onProgress'>;

async function copyToFolder(input: Input, options: Options, path: readonly string[]): Promise<FinishedCopy> {
  const file = await (await openFolder(path, isConversion(options))).getFileHandle(TAKE_FILES.copy, { create: true });
  const handle = await file.createSyncAccessHandle();
  let expected;
  try {
    handle.truncate(0);
    const writable = new WritableStream<StreamTargetChunk>({
      write({ data, position }) {
        if (handle.write(data, { at: position }) !== data.byteLength) throw new FinishError('full', 'A short write');
      },
    });
    const target = new StreamTarget(writable, { chunked: true });
    expected = await copyToMp4(input, target, { ...options, onProgress: createProgress() });
    handle.flush();
  } finally {
    handle.close();
  }
  return proveCopy(await file.getFile(), expected, !isConversion(options));
}

async function copyToMemory(input: Input, options: Options): Promise<{ copy: FinishedCopy; bytes: ArrayBuffer }> {
  const target = new BufferTarget();
  const expected = await copyToMp4(input, target, { ...options, onProgress: createProgress() });
  if (target.buffer === null) throw new FinishError('failed', 'The output has no bytes');
  const copy = await proveCopy(new Blob([target.buffer]), expected, !isConversion(options));
  return { copy, bytes: target.buffer };
}

const openInput = (file: Blob) => new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new BlobSource(file) });

/** Of the camera roll, in place of a take: nothing of its sound is lost, and its folder is new. */
const isConversion = ({ keepsAllSound }: Options) => keepsAllSound === true;

async function makeCopy(input: Input, options: Options, path: readonly string[] | null): Promise<void> {
  if (path !== null) {
    tell({ type: 'finished', copy: await copyToFolder(input, options, path), bytes: null });
    return;
  }
  const { copy, bytes } = await copyToMemory(input, options);
  tell({ type: 'finished', copy, bytes }, [bytes]);
}

const finish = ({ file, range, path }: FinishRequest) => makeCopy(openInput(file), { range }, path);

async function convert(request: ConvertRequest): Promise<void> {
  const input = openInput(request.file);
  const plan = await planConversion(input, request);
  if (plan.do === 'keep') return tell({ type: 'kept', reason: plan.reason });
  const make = (encodes: boolean) => makeCopy(input, { range: null, keepsAllSound: true, encodes }, request.path);
  if (plan.do === 'encode') return make(true);
  try {
    await make(false);
  } catch (error) {
    // What cannot be copied may still be decoded. A full device would be full again.
    if (!(error instanceof FinishError) || error.reason === 'full' || error.reason === 'not loaded') throw error;
    await make(true);
  }
}

function toFailure(error: unknown): FinishMessage {
  const message = String(error);
  if (error instanceof FinishError) return { type: 'failed', reason: error.reason, message };
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { type: 'failed', reason: isFull ? 'full' : 'failed', message };
}

async function answer(request: FinisherRequest): Promise<void> {
  switch (request.type) {
    case 'finish':
      return finish(request);
    case 'convert':
      return convert(request);
    case 'pause':
      return setPaused(request.isPaused);
    case 'prepare':
      await loadAacEncoder();
      tell({ type: 'prepared' });
  }
}

addEventListener('message', ({ data }: MessageEvent<FinisherRequest>) => {
  answer(data).catch((error: unknown) => tell(toFailure(error)));
});
