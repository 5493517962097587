import { useEffect, useSyncExternalStore } from 'react';
import {
  areAllPinned,
  getMediaPaths,
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
import { createSlot } from '#ui/slot.ts';

type Medium = Record<string, unknown>;

/** Files on their way here, or waiting for their turn. */
interface Job {
  paths: readonly string[];
  /** They are of a whole page. */
  isPage: boolean;
  ends: AbortController;
  /** Files that are here, and what came of the one under way. */
  done: number;
}

interface State {
  /** Bytes by address; null until the shelf has been looked at. */
  kept: ReadonlyMap<string, number> | null;
  /** The oldest first: that one is under way. */
  jobs: readonly Job[];
}

const slot = createSlot<State>({ kept: null, jobs: [] });

async function refreshPinned(): Promise<void> {
  const kept = await getPinnedFiles();
  slot.set({ ...slot.get(), kept });
}

/** One after the other, or two could both think that there is room. */
let queueTail: Promise<unknown> = Promise.resolve();

async function fetchAll(job: Job): Promise<PinResult> {
  const sender = currentSender();
  const headers: Record<string, string> = sender ? { Authorization: `Bearer ${sender.token}` } : {};
  const { signal } = job.ends;
  // Whole hundredths of a file: every tile hears of each, and a fast line brings thousands of pieces.
  const reportProgress = (done: number) => {
    const told = Math.floor(done * 100) / 100;
    if (told === job.done) return;
    job.done = told;
    slot.set({ ...slot.get() });
  };
  const kept = await getPinnedFiles();
  const before = new Set(kept.keys());
  let usedBytes = [...kept.values()].reduce((sum, size) => sum + size, 0);
  for (const [index, path] of job.paths.entries()) {
    if (signal.aborted) return 'stopped';
    const onPart = (share: number) => reportProgress(index + share);
    const came = await pinFile(path, { headers, usedBytes, signal, onPart });
    if (came !== 'kept') return came;
    if (!before.has(toCacheKey(path))) usedBytes += await getPinnedBytes(path);
    reportProgress(index + 1);
  }
  return 'kept';
}

/** Keeps files one after the other and stops at the first that cannot be kept: what came before stays. */
async function pinAll(media: readonly Medium[], isPage: boolean): Promise<PinResult> {
  const job: Job = { paths: [...new Set(media.flatMap(getMediaPaths))], isPage, ends: new AbortController(), done: 0 };
  slot.set({ ...slot.get(), jobs: [...slot.get().jobs, job] });
  const work = queueTail.then(() => fetchAll(job));
  queueTail = work.catch(() => undefined);
  try {
    return await work;
  } finally {
    slot.set({ ...slot.get(), jobs: slot.get().jobs.filter((each) => each !== job) });
    await refreshPinned();
  }
}

/** Ends what still fetches any of these and lets them go. */
async function unpinAndRefresh(paths?: readonly string[]): Promise<void> {
  const ended = slot.get().jobs.filter((job) => !paths || job.paths.some((path) => paths.includes(path)));
  for (const job of ended) job.ends.abort();
  if (ended.length > 0) await queueTail;
  await unpinFiles(paths);
  await refreshPinned();
}

async function storeChoice(medium: Medium, word: PinChoice | null): Promise<void> {
  const [file] = getMediaPaths(medium);
  if (file !== undefined) await setPinChoice(file, word);
}

function getChoice(words: ReadonlyMap<string, PinChoice>, medium: Medium): PinChoice | undefined {
  const [file] = getMediaPaths(medium);
  return file === undefined ? undefined : words.get(toCacheKey(file));
}

/** Keeps one medium, whatever becomes of the page it is on. All of its files or none. */
export async function pinMedium(medium: Medium): Promise<PinResult> {
  const before = await getPinnedFiles();
  await storeChoice(medium, 'keep');
  const kept = await pinAll([medium], false);
  // Who stopped it said what is to become of it.
  if (kept === 'kept' || kept === 'stopped') return kept;
  await storeChoice(medium, null);
  await unpinAndRefresh(getMediaPaths(medium).filter((path) => !before.has(toCacheKey(path))));
  return kept;
}

/** Lets one medium go, also where the page it is on stays kept. */
export async function unpinMedium(medium: Medium): Promise<void> {
  await storeChoice(medium, 'let go');
  await unpinAndRefresh(getMediaPaths(medium));
}

/** Keeps all media of a page that the person just said to keep: also those they had let go one by one. */
export async function pinPageMedia(media: readonly Medium[]): Promise<PinResult> {
  const words = await getPinChoices();
  for (const medium of media) if (getChoice(words, medium) === 'let go') await storeChoice(medium, null);
  return pinAll(media, true);
}

/** Keeps what came to a page that is kept; what was let go by itself stays away. */
export async function pinNewPageMedia(media: readonly Medium[]): Promise<PinResult> {
  const words = await getPinChoices();
  return pinAll(
    media.filter((medium) => getChoice(words, medium) !== 'let go'),
    true,
  );
}

/** Lets the media of a page go, but for those that were kept by themselves. */
export async function unpinPageMedia(media: readonly Medium[]): Promise<void> {
  const words = await getPinChoices();
  const own = new Set(media.filter((medium) => getChoice(words, medium) === 'keep').flatMap(getMediaPaths));
  await unpinAndRefresh(media.flatMap(getMediaPaths).filter((path) => !own.has(path)));
}

/** Lets everything go that was kept on purpose. */
export const unpinAllMedia = (): Promise<void> => unpinAndRefresh();

/** How keeping stands with a medium: 'none' has no files, 'away' could be kept; a number is the share that came, 0 to 1. */
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
  /** Bytes by address; null until the shelf has been looked at. */
  kept: ReadonlyMap<string, number> | null;
  getStatus: (medium: Medium) => OfflineStatus;
  /** How far the fetching of a page's media is; null where nothing of them is under way. */
  progressOf: (media: readonly Medium[]) => { done: number; of: number } | null;
}

/** What is kept on purpose on this device, for every screen that shows it. */
export function useOfflineMedia(): OfflineMedia {
  const state = useSyncExternalStore(slot.subscribe, slot.get);
  useEffect(() => {
    if (slot.get().kept === null) refreshPinned().catch(reportError);
  }, []);
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
