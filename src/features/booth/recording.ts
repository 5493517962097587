import type { AccountDb } from '#db/database.ts';
import type { Take, TakeEnd } from '#db/rows.ts';
import { listTakesOf, nameNextTake } from '#db/takes.ts';
import type { TakeLength } from '#lib/take-log.ts';
import { getTakeLock, inspectTake, sealTake } from '#shared/takes/seal-take.ts';
import { deleteTake, findTakeStorage, openSink, type TakeSink } from '#shared/takes/take-storage.ts';
import { TakeWriteError } from '#shared/takes/take-writer.ts';

/** What the device should record: 720p at no more than 3 Mbit/s together, so that finishing needs to re-encode no picture. */
export const PICTURE = { width: 1280, height: 720, frameRate: 30 } as const;
const PICTURE_BITS = 2_500_000;
const SOUND_BITS = 128_000;
/** A slice is the most that the sudden end of the browser can cost. Safari needs at least a second. */
const SLICE_MS = 1000;

/** What recorders offer, best first. H.264 can be copied into the final MP4 as it is. */
const TYPES = [
  'video/mp4;codecs=avc1.64001F,mp4a.40.2',
  'video/mp4;codecs=avc1.64001F,opus',
  'video/mp4',
  'video/webm;codecs=h264,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
];

/** The best type that this browser can record; null if it can record none. */
export function chooseType(): string | null {
  if (typeof MediaRecorder === 'undefined') return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export interface Recording {
  /** Ends the take. Safe to call more than once; the first reason counts. */
  stop(reason: TakeEnd): void;
  /** Resolves once the take is whole on disk. `seconds`: how long it is; null if nothing was recorded. Never rejects. */
  done: Promise<{ end: TakeEnd; seconds: number | null }>;
}

/** Holds the Web Lock of a take until the returned function is called. */
async function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, () => new Promise<void>((release) => resolve(release)));
    held.catch(reject);
  });
}

type FreshTake = Pick<Take, 'id' | 'mime' | 'storage' | 'startedAt' | 'audition'>;

/** Writes the row of a new take. Its name is chosen in the same transaction, so that two tabs choose different ones. */
async function addTake(db: AccountDb, fresh: FreshTake): Promise<void> {
  await db.transaction('rw', db.takes, async () => {
    const name = nameNextTake(await listTakesOf(db, fresh.audition?.id ?? null));
    await db.takes.add({
      ...fresh,
      state: 'recording',
      name,
      bytes: 0,
      duration: 0,
      size: null,
      stars: 0,
      range: null,
      end: null,
    });
  });
}

/** Writes the slices of a recorder one after the other. A slice that cannot be written ends the recording. */
function createSliceQueue(sink: TakeSink, onFailure: (reason: TakeEnd) => void) {
  let length: TakeLength = { slices: 0, bytes: 0, endMs: 0 };
  let hasFailed = false;
  let last: Promise<void> = Promise.resolve();
  const write = async (slice: Blob, endMs: number) => {
    // A gap would make everything behind it useless.
    if (hasFailed || slice.size === 0) return;
    try {
      length = await sink.append(await slice.arrayBuffer(), endMs);
    } catch (error) {
      hasFailed = true;
      console.warn(error);
      onFailure(error instanceof TakeWriteError && error.reason === 'full' ? 'full' : 'failed');
    }
  };
  return {
    add(slice: Blob, endMs: number) {
      last = last.then(() => write(slice, endMs));
    },
    /** Resolves to what is safe, once everything was written. */
    finish: async (): Promise<TakeLength> => {
      await last;
      return length;
    },
  };
}

/**
 * Starts a take. Each second of it is on disk before the next one.
 * @param audition what it is recorded for; null for nothing that was asked
 * @throws {TakeWriteError} if the device cannot store a take; DOMException if it cannot record this stream
 */
export async function startRecording(
  db: AccountDb,
  stream: MediaStream,
  mime: string,
  audition: Take['audition'] | null,
): Promise<Recording> {
  const id = crypto.randomUUID();
  // The lock first: a take without it would be recovered by another tab while it is being recorded.
  const release = await holdLock(getTakeLock(id));
  const fresh: FreshTake = {
    id,
    mime,
    storage: await findTakeStorage(),
    startedAt: Date.now(),
    ...(audition && { audition }),
  };
  let sink: TakeSink | null = null;
  try {
    await addTake(db, fresh);
    sink = await openSink(db, fresh);
    return record({ db, id, stream, mime, sink, release });
  } catch (error) {
    await sink?.close().catch(console.warn);
    await deleteTake(db, fresh).catch(console.warn);
    release();
    throw error;
  }
}

interface Session {
  db: AccountDb;
  id: string;
  stream: MediaStream;
  mime: string;
  sink: TakeSink;
  release(): void;
}

function record({ db, id, stream, mime, sink, release }: Session): Recording {
  // TypeScript's library lacks the last one: a take can be cut at key pictures without re-encoding.
  const options: MediaRecorderOptions & { videoKeyFrameIntervalDuration: number } = {
    mimeType: mime,
    videoBitsPerSecond: PICTURE_BITS,
    audioBitsPerSecond: SOUND_BITS,
    videoKeyFrameIntervalDuration: SLICE_MS,
  };
  const recorder = new MediaRecorder(stream, options);
  let end: TakeEnd | null = null;
  const stop = (reason: TakeEnd) => {
    end ??= reason;
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const slices = createSliceQueue(sink, stop);
  const startedAt = performance.now();
  recorder.addEventListener('dataavailable', ({ data }) => slices.add(data, performance.now() - startedAt));
  recorder.addEventListener('error', () => stop('failed'));
  const hasStopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }));
  const seal = async () => {
    await hasStopped;
    const length = await slices.finish();
    // The recorder also stops by itself, when all its tracks have ended.
    const reason = end ?? 'camera';
    await sink.close().catch(console.warn);
    try {
      await sealTake(db, id, length, reason);
      const take = await db.takes.get(id);
      // Nobody waits for it.
      if (take) inspectTake(db, take).catch(console.warn);
    } catch (error) {
      // What was recorded is safe, and the next start seals the take.
      console.warn(error);
    }
    release();
    return { end: reason, seconds: length.bytes > 0 ? length.endMs / 1000 : null };
  };
  recorder.start(SLICE_MS);
  return { stop, done: seal() };
}
