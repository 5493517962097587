import type { AccountDb } from '#db/database.ts';
import { getTakePath, openFolder, readTakeFile, removePath, TAKE_FILES } from '#lib/take-folder.ts';
import type { FinishFailure, KeptReason } from '#lib/take-messages.ts';
import { deviceWord } from '#ui/device.ts';
import { type Job, MP4, runWorker } from './finish-take.ts';
import { findTakeStorage } from './take-storage.ts';

export { MP4, PauseSwitch } from './finish-take.ts';

/** Why a video was not converted: it need not be, or it cannot be here. */
export type NotConverted = KeptReason | FinishFailure;

export type Conversion =
  | { state: 'made'; file: Blob; drop(): Promise<void> }
  | { state: 'kept'; reason: NotConverted }
  | { state: 'canceled' };

export interface ConvertJob extends Job {
  /** Longer videos are left as they are. */
  maxSeconds: number;
}

/** Without the file system, a copy lies in the memory of the page, and so does the next one. */
const MEMORY_BYTES = 200 * 1024 * 1024;
/** Devices with less memory may fail at pictures of a camera. GB, as `navigator.deviceMemory` tells it. */
const LARGE_PICTURE_GB = 4;
const FOLDER_PREFIX = 'video-';

const getLock = (store: string, folder: string) => `${store}:${folder}`;

/** Phones with little memory decode no large pictures. Where the browser does not tell, it is tried. */
function canEncodeLarge(): boolean {
  const memory = 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : LARGE_PICTURE_GB;
  return deviceWord() !== 'phone' || memory >= LARGE_PICTURE_GB;
}

/** Removes what conversions left behind that ended with their page. */
async function removeLeftovers(store: string): Promise<void> {
  const parent = getTakePath(store, '').slice(0, -1);
  const folder = await openFolder(parent, true);
  for await (const name of folder.keys()) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    await navigator.locks.request(getLock(store, name), { ifAvailable: true }, async (lock) => {
      if (lock) await removePath([...parent, name]);
    });
  }
}

/**
 * Makes a small MP4 of a video of the camera roll, if it is not one already. The video stays as it is: whoever stores the copy calls
 * `drop` afterwards. Never rejects.
 */
export async function convertVideo(db: AccountDb, file: Blob, job: ConvertJob): Promise<Conversion> {
  try {
    const hasFolder = (await findTakeStorage()) === 'folder';
    if (!hasFolder)
      return file.size > MEMORY_BYTES ? { state: 'kept', reason: 'memory' } : await run(db, file, job, null);
    await removeLeftovers(db.name).catch(console.warn);
    const folder = FOLDER_PREFIX + crypto.randomUUID();
    const path = getTakePath(db.name, folder);
    // Held until the copy is not needed any more, so that no other tab removes it.
    return await new Promise<Conversion>((resolve, reject) => {
      const work = async () => {
        const made = await run(db, file, job, path);
        if (made.state !== 'made') {
          resolve(made);
          return removePath(path);
        }
        await new Promise<void>((release) => {
          resolve({ ...made, drop: async () => (release(), removePath(path)) });
        });
      };
      navigator.locks.request(getLock(db.name, folder), work).catch(reject);
    });
  } catch (error) {
    reportError(error);
    return { state: 'kept', reason: 'failed' };
  }
}

async function run(db: AccountDb, file: Blob, job: ConvertJob, path: string[] | null): Promise<Conversion> {
  const { maxSeconds } = job;
  const answer = await runWorker({ type: 'convert', file, path, maxSeconds, canEncodeLarge: canEncodeLarge() }, job);
  switch (answer.type) {
    case 'canceled':
      return { state: 'canceled' };
    case 'kept':
      return { state: 'kept', reason: answer.reason };
    case 'failed':
      console.info(answer.message);
      return { state: 'kept', reason: answer.reason };
    case 'prepared':
      return { state: 'kept', reason: 'failed' };
    case 'finished': {
      const made = answer.bytes ? new Blob([answer.bytes]) : path && (await readTakeFile(path, TAKE_FILES.copy));
      if (made?.size !== answer.copy.size) return { state: 'kept', reason: 'failed' };
      return { state: 'made', file: made.slice(0, made.size, MP4), drop: async () => undefined };
    }
  }
}
