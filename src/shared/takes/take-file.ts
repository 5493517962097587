import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { getTakePath, removePath, TAKE_FILES } from '#lib/take-folder.ts';
import { megabytes } from '#lib/file-types-text.ts';
import { type FileMetadata, inspectFile } from '#shared/picked-files/inspect-file.ts';
import { deviceWord } from '#ui/device.ts';
import { formatFinishFailure } from './finish-failure-text.ts';
import { finishTake, MP4, toFileName } from './finish-take.ts';
import { readRecording } from './take-storage.ts';

/** A take as a file to send. */
export interface TakeFile {
  ok: true;
  file: File;
  metadata: FileMetadata;
  /** The part of the take that it has. */
  range: Take['range'];
}

/** Why there is none, and what the person can do about it. */
export interface NoTakeFile {
  ok: false;
  /** Null if it was canceled. */
  problem: string | null;
  canRetry: boolean;
  /** What makes the MP4 is not on this device yet. */
  needsSignal: boolean;
  /** The recording itself can be sent in its place. */
  canSendOriginal: boolean;
}

interface TakeFileOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
  maxBytes: number;
  /** Takes the recording as it is, all of it. */
  isOriginal: boolean;
  /** Also makes a strip of it. */
  hasStrip: boolean;
}

const no = (problem: string | null, can: Partial<NoTakeFile> = {}): NoTakeFile => ({
  ok: false,
  problem,
  canRetry: false,
  needsSignal: false,
  canSendOriginal: false,
  ...can,
});

/**
 * Makes the file of a take that is sent: the finished MP4 of the chosen part, or the recording itself. The take stays as it is.
 * The MP4 lies in the folder of the take until `dropTakeFile`.
 */
export async function makeTakeFile(
  db: AccountDb,
  id: string,
  options: TakeFileOptions,
): Promise<TakeFile | NoTakeFile> {
  const { signal, onProgress, maxBytes, isOriginal, hasStrip } = options;
  const take = await db.takes.get(id);
  if (take?.state !== 'sealed') return no(`This take is not on this ${deviceWord()} any more. Remove it`);
  const outcome = isOriginal ? await readOriginal(db, take) : await finishTake(db, take, { signal, onProgress });
  if (!outcome.ok) {
    if (outcome.reason === 'canceled') return no(null);
    const problem = formatFinishFailure(outcome.reason, deviceWord());
    return no(problem, {
      canRetry: true,
      needsSignal: outcome.reason === 'not loaded',
      canSendOriginal: !isOriginal && isAccepted(take) && take.bytes <= maxBytes,
    });
  }
  if (outcome.file.size > maxBytes) {
    return no(`Over ${megabytes(maxBytes)} MB. Trim it in your takes, then try again`, { canRetry: true });
  }
  const { name, size, duration } = take;
  const type = isOriginal ? take.mime.replace(/;.*/, '') : MP4;
  const range = isOriginal ? null : take.range;
  const seconds = range === null ? duration : range.to - range.from;
  return {
    ok: true,
    file: new File([outcome.file], toFileName(name, type), { type }),
    metadata: {
      ...(await getPictures(db, id, outcome.file, range !== null, hasStrip)),
      ...size,
      ...(seconds > 0 && { duration: seconds }),
    },
    range,
  };
}

/** Whether the server takes the recording itself. Chromium writes H.264 into a container that no other browser plays. */
const isAccepted = ({ mime }: Pick<Take, 'mime'>) => mime.startsWith(MP4) || !/h264|avc/i.test(mime);

async function readOriginal(db: AccountDb, take: Take) {
  const file = await readRecording(db, take);
  return file ? ({ ok: true, file } as const) : ({ ok: false, reason: 'failed' } as const);
}

/** The pictures of a take that is sent. They must not show what was trimmed away, so the stored one is only for all of the recording. */
async function getPictures(
  db: AccountDb,
  id: string,
  file: Blob,
  isTrimmed: boolean,
  hasStrip: boolean,
): Promise<Pick<FileMetadata, 'thumb' | 'strip'>> {
  const seen = isTrimmed || hasStrip ? await inspectFile('video', file, hasStrip) : {};
  const thumb = seen.thumb ?? (isTrimmed ? undefined : (await db.posters.get(id))?.jpeg);
  return { ...(thumb && { thumb }), ...(seen.strip && { strip: seen.strip }) };
}

/**
 * Deletes the finished MP4 of a take, once its bytes are stored elsewhere: of a take that is sent, the device has the recording and one copy. It can be made
 * again at any time.
 */
export async function dropTakeFile(db: AccountDb, id: string): Promise<void> {
  const take = await db.takes.get(id);
  if (!take?.copy) return;
  await db.takes
    .where('id')
    .equals(id)
    .modify((row) => void delete row.copy);
  await removePath([...getTakePath(db.name, id), TAKE_FILES.copy]);
}
