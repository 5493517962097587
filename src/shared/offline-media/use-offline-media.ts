import { useEffect, useSyncExternalStore } from 'react';
import {
  areAllPinned,
  getMediaPaths,
  openPinCaches,
  pinFile,
  getPinnedBytes,
  type PinResult,
  getPinnedFiles,
  getPinChoices,
  toCacheKey,
  unpinFiles,
  setPinChoice,
  type PinChoice,
} from '#shared/offline-media/offline-cache.ts';
import { currentSender } from '#net/client.ts';
import type { Sender } from '#net/wire.ts';
import { createSlot } from '#ui/slot.ts';

type Medium = Record<string, unknown>;

/** Files that are being downloaded, or are queued for it. */
interface Job {
  paths: readonly string[];
  /** True if the job pins all media of a page. */
  isPage: boolean;
  /** Whether the user's budget for pinned files leaves it alone. */
  isUnlimited: boolean;
  /** Whoever started it; null if nobody was signed in. */
  sender: Sender | null;
  ends: AbortController;
  /** Number of files downloaded, plus the share of the current one. */
  done: number;
}

interface State {
  /** Whose state it is; null if nobody is signed in. */
  sender: Sender | null;
  /** Sizes of pinned files in bytes, by cache key; null until they have been read. */
  kept: ReadonlyMap<string, number> | null;
  /** The oldest first; that one is being downloaded. */
  jobs: readonly Job[];
}

const UNREAD: State = { sender: null, kept: null, jobs: [] };
const slot = createSlot<State>(UNREAD);

/** The state of whoever is signed in now. A sign-out deletes the files that an earlier state is about. */
const getState = (): State => (slot.get().sender === currentSender() ? slot.get() : UNREAD);

function setState(change: Partial<Omit<State, 'sender'>>): void {
  const sender = currentSender();
  // Nobody sees the jobs of an earlier person any more, and the next ones must not wait for them.
  for (const job of slot.get().jobs) if (job.sender !== sender) job.ends.abort();
  slot.set({ ...getState(), ...change, sender });
}

async function refreshPinned(): Promise<void> {
  const sender = currentSender();
  const kept = await getPinnedFiles();
  if (sender === currentSender()) setState({ kept });
}

/** Whether a job must stop: it was canceled, or whoever started it has signed out. */
function hasEnded({ sender, ends }: Job): boolean {
  if (sender !== currentSender()) ends.abort();
  return ends.signal.aborted;
}

/** Jobs run one after the other; otherwise two could both find enough budget. */
let queueTail: Promise<unknown> = Promise.resolve();

async function fetchAll(job: Job): Promise<PinResult> {
  const { sender, ends } = job;
  // Rounded to hundredths of a file: each update re-renders every tile, and a fast download has thousands of chunks.
  const reportProgress = (done: number) => {
    const rounded = Math.floor(done * 100) / 100;
    if (rounded === job.done) return;
    job.done = rounded;
    setState({});
  };
  // Opened before it is asked whether the person has signed out: a later sign-out deletes these caches.
  const pinCaches = await openPinCaches();
  const kept = await getPinnedFiles();
  const before = new Set(kept.keys());
  let usedBytes = job.isUnlimited ? 0 : [...kept.values()].reduce((sum, size) => sum + size, 0);
  for (const [index, path] of job.paths.entries()) {
    if (hasEnded(job)) return 'stopped';
    const onPart = (share: number) => {
      if (!hasEnded(job)) reportProgress(index + share);
    };
    // The token may have been renewed since the last file.
    const headers: Record<string, string> = sender ? { Authorization: `Bearer ${sender.token}` } : {};
    const result = await pinFile(pinCaches, path, { headers, usedBytes, signal: ends.signal, onPart });
    if (result !== 'kept') return result;
    if (!before.has(toCacheKey(path))) usedBytes += await getPinnedBytes(pinCaches, path);
    reportProgress(index + 1);
  }
  return 'kept';
}

/** Pins files one after the other and stops at the first failure. The files before it stay pinned. */
async function pinAll(media: readonly Medium[], isPage: boolean, isUnlimited = false): Promise<PinResult> {
  const paths = [...new Set(media.flatMap(getMediaPaths))];
  const job: Job = { paths, isPage, isUnlimited, sender: currentSender(), ends: new AbortController(), done: 0 };
  setState({ jobs: [...getState().jobs, job] });
  const work = queueTail.then(() => fetchAll(job));
  queueTail = work.catch(() => undefined);
  try {
    const result = await work;
    // Neither a success nor a failure says anything to whoever did not wait for it.
    return hasEnded(job) ? 'stopped' : result;
  } finally {
    setState({ jobs: getState().jobs.filter((each) => each !== job) });
    await refreshPinned();
  }
}

/** Cancels jobs that download any of these files, and unpins the files; without `paths`, all of them. */
async function unpinAndRefresh(paths?: readonly string[]): Promise<void> {
  const ended = getState().jobs.filter((job) => !paths || job.paths.some((path) => paths.includes(path)));
  for (const job of ended) job.ends.abort();
  if (ended.length > 0) await queueTail;
  await unpinFiles(paths);
  await refreshPinned();
}

async function storeChoice(medium: Medium, choice: PinChoice | null): Promise<void> {
  const [file] = getMediaPaths(medium);
  if (file !== undefined) await setPinChoice(file, choice);
}

function getChoice(choices: ReadonlyMap<string, PinChoice>, medium: Medium): PinChoice | undefined {
  const [file] = getMediaPaths(medium);
  return file === undefined ? undefined : choices.get(toCacheKey(file));
}

/** Pins one medium regardless of its page: all of its files or none. */
export async function pinMedium(medium: Medium): Promise<PinResult> {
  const before = await getPinnedFiles();
  await storeChoice(medium, 'keep');
  const result = await pinAll([medium], false);
  // Whoever canceled it has already stored the new choice.
  if (result === 'kept' || result === 'stopped') return result;
  await storeChoice(medium, null);
  await unpinAndRefresh(getMediaPaths(medium).filter((path) => !before.has(toCacheKey(path))));
  return result;
}

/** Pins a file that the person needs for their work, however much else is pinned. */
export const pinWorkFile = (path: string): Promise<PinResult> => pinAll([{ path }], false, true);

/** Unpins such files. */
export const unpinWorkFiles = (paths: readonly string[]): Promise<void> => unpinAndRefresh(paths);

/** Unpins one medium, even if its page stays pinned. */
export async function unpinMedium(medium: Medium): Promise<void> {
  await storeChoice(medium, 'let go');
  await unpinAndRefresh(getMediaPaths(medium));
}

/** Pins all media of a page, including those that the user had unpinned individually. */
export async function pinPageMedia(media: readonly Medium[]): Promise<PinResult> {
  const choices = await getPinChoices();
  for (const medium of media) if (getChoice(choices, medium) === 'let go') await storeChoice(medium, null);
  return pinAll(media, true);
}

/** Pins media added to a pinned page. Media that the user unpinned individually stay unpinned. */
export async function pinNewPageMedia(media: readonly Medium[]): Promise<PinResult> {
  const choices = await getPinChoices();
  return pinAll(
    media.filter((medium) => getChoice(choices, medium) !== 'let go'),
    true,
  );
}

/** Unpins the media of a page, except those that were pinned individually. */
export async function unpinPageMedia(media: readonly Medium[]): Promise<void> {
  const choices = await getPinChoices();
  const own = new Set(media.filter((medium) => getChoice(choices, medium) === 'keep').flatMap(getMediaPaths));
  await unpinAndRefresh(media.flatMap(getMediaPaths).filter((path) => !own.has(path)));
}

/** Unpins everything. */
export const unpinAllMedia = (): Promise<void> => unpinAndRefresh();

/**
 * 'none': the medium has no files. 'away': it can be pinned. 'kept': it is pinned. A number: the downloaded share, from
 * 0 to 1.
 */
export type OfflineStatus = 'none' | 'away' | 'kept' | number;

function getOfflineStatus({ kept, jobs }: State, medium: Medium): OfflineStatus {
  const paths = getMediaPaths(medium);
  if (paths.length === 0 || kept === null) return 'none';
  if (areAllPinned(paths, kept)) return 'kept';
  const job = jobs.find((each) => each.paths.includes(paths[0] ?? ''));
  if (!job) return 'away';
  const first = job.paths.indexOf(paths[0] ?? '');
  return Math.max(0, Math.min(1, (job.done - first) / paths.length));
}

interface OfflineMedia {
  /** Sizes of pinned files in bytes, by cache key; null until they have been read. */
  kept: ReadonlyMap<string, number> | null;
  getStatus: (medium: Medium) => OfflineStatus;
  /** Progress of pinning a page's media, in files; null if no such job is running. */
  progressOf: (media: readonly Medium[]) => { done: number; of: number } | null;
}

/** The state of pinned media on this device. */
export function useOfflineMedia(): OfflineMedia {
  const state = useSyncExternalStore(slot.subscribe, getState);
  useEffect(() => {
    if (getState().kept === null) refreshPinned().catch(reportError);
  }, [state.kept]);
  return {
    kept: state.kept,
    getStatus: (medium) => getOfflineStatus(state, medium),
    progressOf: (media) => {
      const paths = new Set(media.flatMap(getMediaPaths));
      const job = state.jobs.find((each) => each.isPage && each.paths.every((path) => paths.has(path)));
      return job ? { done: job.done, of: job.paths.length } : null;
    },
  };
}
