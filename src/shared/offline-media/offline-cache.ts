import { isComplete, isStoredFile } from '#lib/stored-file.ts';
import { PINNED_CACHE, PIN_CHOICES, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';

/**
 * The result of pinning a file. `over`: it exceeds the user's storage budget. `full`: the device has no space left.
 * `stopped`: the user canceled it.
 */
export type PinResult = 'kept' | 'over' | 'full' | 'unreachable' | 'stopped';

/** The user's choice for a single medium. It overrides the choice for its page. */
export type PinChoice = 'keep' | 'let go';

const BUDGET_KEY = 'keep-budget';
const MB = 1024 * 1024;
/** The budgets that the user can choose. */
export const OFFLINE_BUDGETS_BYTES = [100 * MB, 500 * MB, 2048 * MB] as const;

/** The storage budget for pinned files, in bytes. */
export function getOfflineBudget(): number {
  const chosen = Number(localStorage.getItem(BUDGET_KEY));
  return OFFLINE_BUDGETS_BYTES.find((each) => each === chosen) ?? OFFLINE_BUDGETS_BYTES[1];
}

export function setOfflineBudget(bytes: number): void {
  localStorage.setItem(BUDGET_KEY, String(bytes));
}

/** A file's URL without its query, which is only a signature that expires. */
export const toCacheKey = (path: string): string => {
  const { origin, pathname } = new URL(path, location.origin);
  return origin + pathname;
};
const getSize = (answer: Response) => Number(answer.headers.get('Content-Length') ?? 0);

/** Sizes of the pinned files in bytes, by cache key. */
export async function getPinnedFiles(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(PINNED_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (answer && isStoredFile(answer, request.url)) kept.set(request.url, getSize(answer));
  }
  return kept;
}

/** The caches that pinning a file reads and writes. */
export interface PinCaches {
  pinned: Cache;
  viewed: Cache;
  marks: Cache;
}

/**
 * Opens these caches. What is stored in them after a sign-out has deleted them can be opened by nobody. If they were opened again for
 * each file, the files would be in new caches, which the next person has.
 */
export async function openPinCaches(): Promise<PinCaches> {
  const names = [PINNED_CACHE, MEDIA_CACHE, MEDIA_MARKS];
  const [pinned, viewed, marks] = await Promise.all(names.map((name) => caches.open(name)));
  return { pinned: pinned!, viewed: viewed!, marks: marks! };
}

/** Size of a pinned file in bytes; 0 if it is not pinned. */
export async function getPinnedBytes({ pinned }: PinCaches, path: string): Promise<number> {
  const answer = await pinned.match(toCacheKey(path));
  return answer ? getSize(answer) : 0;
}

const CHOICE_HEADER = 'x-kept-word';

/** The choices for single media, by the cache key of their file. */
export async function getPinChoices(): Promise<ReadonlyMap<string, PinChoice>> {
  const cache = await caches.open(PIN_CHOICES);
  const choices = new Map<string, PinChoice>();
  for (const request of await cache.keys()) {
    const choice = (await cache.match(request))?.headers.get(CHOICE_HEADER);
    if (choice === 'keep' || choice === 'let go') choices.set(request.url, choice);
  }
  return choices;
}

/** Stores the user's choice for the medium with this file; null removes it. */
export async function setPinChoice(path: string, choice: PinChoice | null): Promise<void> {
  const cache = await caches.open(PIN_CHOICES);
  if (choice === null) await cache.delete(toCacheKey(path));
  else await cache.put(toCacheKey(path), new Response(null, { headers: { [CHOICE_HEADER]: choice } }));
}

/** Reads the body of a response and reports the received share, from 0 to 1. */
async function readBody(answer: Response, onPart: (share: number) => void): Promise<Blob> {
  const size = getSize(answer);
  if (!answer.body || size === 0) return answer.blob();
  let receivedBytes = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, through) {
        receivedBytes += piece.length;
        onPart(Math.min(1, receivedBytes / size));
        through.enqueue(piece);
      },
    }),
  );
  return new Response(counted, { headers: { 'Content-Type': answer.headers.get('Content-Type') ?? '' } }).blob();
}

interface PinOptions {
  /** Request headers with the user's token, for files that are not public. */
  headers: Record<string, string>;
  /** Bytes already used of the storage budget. */
  usedBytes: number;
  /** Cancels the download. */
  signal: AbortSignal;
  /** Receives the share that has arrived, from 0 to 1. */
  onPart: (share: number) => void;
}

/**
 * Pins a file until it is unpinned. Uses the cached copy if the file was viewed before, and fetches it otherwise.
 * @param path of the file on the server
 */
export async function pinFile(
  { pinned, viewed, marks }: PinCaches,
  path: string,
  { headers, usedBytes, signal, onPart }: PinOptions,
): Promise<PinResult> {
  const key = toCacheKey(path);
  const getValidCopy = async (cache: Cache) => {
    const copy = await cache.match(key);
    return copy && isStoredFile(copy, key) ? copy : undefined;
  };
  if (await getValidCopy(pinned)) return 'kept';
  const giveUp = (): PinResult => (signal.aborted ? 'stopped' : 'unreachable');
  const answer =
    (await getValidCopy(viewed)) ?? (await fetch(path, { headers, cache: 'no-store', signal }).catch(giveUp));
  if (!(answer instanceof Response)) return answer;
  if (!isStoredFile(answer, key)) return 'unreachable';
  // Do not download a file that exceeds the budget.
  if (usedBytes + getSize(answer) > getOfflineBudget()) {
    await answer.body?.cancel();
    return 'over';
  }
  const body = await readBody(answer, onPart).catch(giveUp);
  if (!(body instanceof Blob)) return body;
  if (signal.aborted) return 'stopped';
  if (!isComplete(answer, body.size)) return 'unreachable';
  if (usedBytes + body.size > getOfflineBudget()) return 'over';
  const stored = new Headers(answer.headers);
  stored.delete('Content-Encoding');
  stored.set('Content-Length', String(body.size));
  try {
    await pinned.put(key, new Response(body, { status: 200, headers: stored }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
    throw error;
  }
  // The copy in the cache of viewed files is no longer needed.
  await Promise.all([viewed.delete(key), marks.delete(key)]);
  return 'kept';
}

/** Unpins files; without `paths`, all of them. */
export async function unpinFiles(paths?: readonly string[]): Promise<void> {
  if (!paths) {
    await Promise.all([PINNED_CACHE, PIN_CHOICES].map((name) => caches.delete(name)));
    return;
  }
  const cache = await caches.open(PINNED_CACHE);
  for (const path of paths) await cache.delete(toCacheKey(path));
}

/** Paths of a medium's files: the medium itself and all its pictures. A YouTube video has none. */
export function getMediaPaths(medium: Record<string, unknown>): string[] {
  const renditions = Array.isArray(medium.renditions) ? (medium.renditions as { path?: unknown }[]) : [];
  const paths = [medium.path, medium.thumb_path, ...renditions.map(({ path }) => path)];
  const own = paths.filter((path): path is string => typeof path === 'string' && path.startsWith('/storage/'));
  return [...new Set(own)];
}

/** Whether all of these files are pinned. */
export const areAllPinned = (paths: readonly string[], kept: ReadonlyMap<string, number>): boolean =>
  kept.size > 0 && paths.length > 0 && paths.every((path) => kept.has(toCacheKey(path)));
