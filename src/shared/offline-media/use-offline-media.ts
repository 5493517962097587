import { useEffect, useSyncExternalStore } from 'react';
import {
  areKept,
  filesOf,
  keepFile,
  keptBytes,
  type Keeping,
  keptMedia,
  keptWords,
  keyOf,
  letGo,
  sayOf,
  type Word,
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

const shelf = createSlot<State>({ kept: null, jobs: [] });

async function look(): Promise<void> {
  const kept = await keptMedia();
  shelf.set({ ...shelf.get(), kept });
}

/** One after the other, or two could both think that there is room. */
let turn: Promise<unknown> = Promise.resolve();

async function fetchAll(job: Job): Promise<Keeping> {
  const sender = currentSender();
  const headers: Record<string, string> = sender ? { Authorization: `Bearer ${sender.token}` } : {};
  const { signal } = job.ends;
  // Whole hundredths of a file: every tile hears of each, and a fast line brings thousands of pieces.
  const tell = (done: number) => {
    const told = Math.floor(done * 100) / 100;
    if (told === job.done) return;
    job.done = told;
    shelf.set({ ...shelf.get() });
  };
  const kept = await keptMedia();
  const before = new Set(kept.keys());
  let usedBytes = [...kept.values()].reduce((sum, size) => sum + size, 0);
  for (const [index, path] of job.paths.entries()) {
    if (signal.aborted) return 'stopped';
    const onPart = (share: number) => tell(index + share);
    const came = await keepFile(path, { headers, usedBytes, signal, onPart });
    if (came !== 'kept') return came;
    if (!before.has(keyOf(path))) usedBytes += await keptBytes(path);
    tell(index + 1);
  }
  return 'kept';
}

/** Keeps files one after the other and stops at the first that cannot be kept: what came before stays. */
async function keepFiles(media: readonly Medium[], isPage: boolean): Promise<Keeping> {
  const job: Job = { paths: [...new Set(media.flatMap(filesOf))], isPage, ends: new AbortController(), done: 0 };
  shelf.set({ ...shelf.get(), jobs: [...shelf.get().jobs, job] });
  const work = turn.then(() => fetchAll(job));
  turn = work.catch(() => undefined);
  try {
    return await work;
  } finally {
    shelf.set({ ...shelf.get(), jobs: shelf.get().jobs.filter((each) => each !== job) });
    await look();
  }
}

/** Ends what still fetches any of these and lets them go. */
async function letFilesGo(paths?: readonly string[]): Promise<void> {
  const ended = shelf.get().jobs.filter((job) => !paths || job.paths.some((path) => paths.includes(path)));
  for (const job of ended) job.ends.abort();
  if (ended.length > 0) await turn;
  await letGo(paths);
  await look();
}

async function say(medium: Medium, word: Word | null): Promise<void> {
  const [file] = filesOf(medium);
  if (file !== undefined) await sayOf(file, word);
}

function wordOn(words: ReadonlyMap<string, Word>, medium: Medium): Word | undefined {
  const [file] = filesOf(medium);
  return file === undefined ? undefined : words.get(keyOf(file));
}

/** Keeps one medium, whatever becomes of the page it is on. All of its files or none. */
export async function keepMedium(medium: Medium): Promise<Keeping> {
  const before = await keptMedia();
  await say(medium, 'keep');
  const kept = await keepFiles([medium], false);
  // Who stopped it said what is to become of it.
  if (kept === 'kept' || kept === 'stopped') return kept;
  await say(medium, null);
  await letFilesGo(filesOf(medium).filter((path) => !before.has(keyOf(path))));
  return kept;
}

/** Lets one medium go, also where the page it is on stays kept. */
export async function letMediumGo(medium: Medium): Promise<void> {
  await say(medium, 'let go');
  await letFilesGo(filesOf(medium));
}

/** Keeps all media of a page that the person just said to keep: also those they had let go one by one. */
export async function keepPageMedia(media: readonly Medium[]): Promise<Keeping> {
  const words = await keptWords();
  for (const medium of media) if (wordOn(words, medium) === 'let go') await say(medium, null);
  return keepFiles(media, true);
}

/** Keeps what came to a page that is kept; what was let go by itself stays away. */
export async function keepNewMedia(media: readonly Medium[]): Promise<Keeping> {
  const words = await keptWords();
  return keepFiles(
    media.filter((medium) => wordOn(words, medium) !== 'let go'),
    true,
  );
}

/** Lets the media of a page go, but for those that were kept by themselves. */
export async function letPageMediaGo(media: readonly Medium[]): Promise<void> {
  const words = await keptWords();
  const own = new Set(media.filter((medium) => wordOn(words, medium) === 'keep').flatMap(filesOf));
  await letFilesGo(media.flatMap(filesOf).filter((path) => !own.has(path)));
}

/** Lets everything go that was kept on purpose. */
export const letAllMediaGo = (): Promise<void> => letFilesGo();

/** How keeping stands with a medium: 'none' has no files, 'away' could be kept; a number is the share that came, 0 to 1. */
export type KeptStanding = 'none' | 'away' | 'kept' | number;

function standingOf({ kept, jobs }: State, medium: Medium): KeptStanding {
  const paths = filesOf(medium);
  if (paths.length === 0 || kept === null) return 'none';
  if (areKept(paths, kept)) return 'kept';
  const job = jobs.find((each) => each.paths.includes(paths[0] ?? ''));
  if (!job) return 'away';
  const first = job.paths.indexOf(paths[0] ?? '');
  return Math.max(0, Math.min(1, (job.done - first) / paths.length));
}

interface KeptMedia {
  /** Bytes by address; null until the shelf has been looked at. */
  kept: ReadonlyMap<string, number> | null;
  standingOf: (medium: Medium) => KeptStanding;
  /** How far the fetching of a page's media is; null where nothing of them is under way. */
  progressOf: (media: readonly Medium[]) => { done: number; of: number } | null;
}

/** What is kept on purpose on this device, for every screen that shows it. */
export function useKeptMedia(): KeptMedia {
  const state = useSyncExternalStore(shelf.subscribe, shelf.get);
  useEffect(() => {
    if (shelf.get().kept === null) look().catch(reportError);
  }, []);
  return {
    kept: state.kept,
    standingOf: (medium) => standingOf(state, medium),
    progressOf: (media) => {
      const paths = new Set(media.flatMap(filesOf));
      const job = state.jobs.find((each) => each.isPage && each.paths.every((path) => paths.has(path)));
      return job ? { done: job.done, of: job.paths.length } : null;
    },
  };
}
