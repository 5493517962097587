import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { getCurrentCopy } from '#db/takes.ts';
import { getTakePath } from '#lib/take-folder.ts';
import type { FinishedCopy, FinisherRequest, FinishFailure, FinishMessage, PauseRequest } from '#lib/take-messages.ts';
import { readCopy, readRecording } from '#shared/takes/take-storage.ts';
import { whenIdle } from '#ui/when-idle.ts';

export const MP4 = 'video/mp4';

/** The MP4 of a take, or why there is none. */
export type Outcome = { ok: true; file: Blob } | { ok: false; reason: FinishFailure | 'canceled' };

export interface Job {
  onProgress(done: number, total: number): void;
  /** Cancels it. */
  signal: AbortSignal;
  pause?: PauseSwitch;
}

/** Pauses a job and lets it go on. Fires 'change'. */
export class PauseSwitch extends EventTarget {
  isPaused = false;
  toggle(): void {
    this.isPaused = !this.isPaused;
    this.dispatchEvent(new Event('change'));
  }
}

type Answer = Exclude<FinishMessage, { type: 'progress' }> | { type: 'canceled' };

/** Runs one job in a worker of its own. */
export function runWorker(
  request: Exclude<FinisherRequest, PauseRequest>,
  { onProgress, signal, pause }: Job,
): Promise<Answer> {
  // A signal that is aborted already says nothing any more.
  if (signal.aborted) return Promise.resolve({ type: 'canceled' });
  const worker = new Worker(new URL('../../workers/take-finisher.ts', import.meta.url), { type: 'module' });
  return new Promise<Answer>((resolve) => {
    signal.addEventListener('abort', () => resolve({ type: 'canceled' }), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<FinishMessage>) => {
      if (data.type === 'progress') onProgress(data.done, data.total);
      else resolve(data);
    });
    // Errors of a job come as messages; this one means that the script is not there.
    worker.addEventListener('error', ({ message }) => resolve({ type: 'failed', reason: 'not loaded', message }));
    worker.postMessage(request);
    const handlePause = () =>
      worker.postMessage({ type: 'pause', isPaused: pause?.isPaused ?? false } satisfies PauseRequest);
    pause?.addEventListener('change', handlePause, { signal });
  }).finally(() => worker.terminate());
}

async function keepCopy(db: AccountDb, { id, range }: Take, { sha256, size, duration }: FinishedCopy): Promise<void> {
  await db.takes.update(id, { copy: { sha256, size, duration, provenAt: Date.now(), range } });
}

/** The finished MP4 of a take: the one that is there, or a new one. Never rejects. */
export async function finishTake(db: AccountDb, take: Take, job: Job): Promise<Outcome> {
  try {
    const copy = getCurrentCopy(take);
    const found = copy && (await readCopy(db, take));
    if (found && found.size === copy.size) return { ok: true, file: found };
    const file = await readRecording(db, take);
    if (file === null) return { ok: false, reason: 'failed' };
    const path = take.storage === 'folder' ? getTakePath(db.name, take.id) : null;
    const answer = await runWorker({ type: 'finish', file, range: take.range, path }, job);
    if (answer.type === 'canceled') return { ok: false, reason: 'canceled' };
    if (answer.type !== 'finished') {
      const reason = answer.type === 'failed' ? answer.reason : 'failed';
      console.warn(answer);
      return { ok: false, reason };
    }
    if (answer.bytes) return { ok: true, file: new Blob([answer.bytes], { type: MP4 }) };
    await keepCopy(db, take, answer.copy);
    const made = await readCopy(db, take);
    return made ? { ok: true, file: made } : { ok: false, reason: 'failed' };
  } catch (error) {
    reportError(error);
    return { ok: false, reason: 'failed' };
  }
}

/** Once per page; null after a failure. */
let prepared: Promise<boolean> | null = null;

/** A function with a name, which a page can add any number of times and is called once. */
const prepareAgain = () => void prepareFinishing();

/**
 * Fetches the code for finishing when the page is idle, so that it also works without a connection later. Never rejects.
 * @returns false if it could not be reached or stored
 */
export async function prepareFinishing(): Promise<boolean> {
  if (prepared === null && !navigator.onLine) return false;
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers?.controller === null) {
    // On a first visit. Before the service worker controls the page, nothing stores what is fetched.
    workers.addEventListener('controllerchange', prepareAgain, { once: true });
    return false;
  }
  prepared ??= fetchFinisher().catch((error: unknown) => {
    console.warn(error);
    return false;
  });
  const isThere = await prepared;
  if (!isThere) prepared = null;
  return isThere;
}

async function fetchFinisher(): Promise<boolean> {
  await new Promise<void>((resolve) => whenIdle(resolve, { timeoutMs: 10_000, fallbackMs: 3000 }));
  const job: Job = { onProgress: () => undefined, signal: new AbortController().signal };
  const answer = await runWorker({ type: 'prepare' }, job);
  return answer.type !== 'failed' || answer.reason !== 'not loaded';
}

/** A file name that every system accepts: 'Take 3.mp4'. */
export function toFileName(name: string, mime: string): string {
  const safe = name.replace(/[\p{Cc}/\\:*?"<>|]/gu, ' ').trim();
  return `${safe || 'Take'}.${mime.startsWith(MP4) ? 'mp4' : 'webm'}`;
}
