import { isComplete, isStoredFile } from '#lib/stored-file.ts';
import { PINNED_CACHE, PIN_CHOICES, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';

/**
 * How a file came to be kept, or why it did not. `over`: beyond what the person set aside. `full`: the device has no room.
 * `stopped`: they changed their mind meanwhile.
 */
export type PinResult = 'kept' | 'over' | 'full' | 'unreachable' | 'stopped';

/** What the person said of one medium by itself. It counts more than what they say of the page it is on. */
export type PinChoice = 'keep' | 'let go';

const BUDGET_KEY = 'keep-budget';
const MB = 1024 * 1024;
/** What may be set aside, bytes. */
export const OFFLINE_BUDGETS_BYTES = [100 * MB, 500 * MB, 2048 * MB] as const;

/** Bytes set aside for what is kept on purpose. */
export function getOfflineBudget(): number {
  const set = Number(localStorage.getItem(BUDGET_KEY));
  return OFFLINE_BUDGETS_BYTES.find((each) => each === set) ?? OFFLINE_BUDGETS_BYTES[1];
}

export function setOfflineBudget(bytes: number): void {
  localStorage.setItem(BUDGET_KEY, String(bytes));
}

/** A file's address without its query, which is only a signature that runs out. */
export const toCacheKey = (path: string): string => {
  const { origin, pathname } = new URL(path, location.origin);
  return origin + pathname;
};
const sizeOf = (answer: Response) => Number(answer.headers.get('Content-Length') ?? 0);

/** Files kept on purpose with their bytes, by address without its query. */
export async function getPinnedFiles(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(PINNED_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (answer && isStoredFile(answer, request.url)) kept.set(request.url, sizeOf(answer));
  }
  return kept;
}

/** Bytes of one file that is kept; 0 where it is not. */
export async function getPinnedBytes(path: string): Promise<number> {
  const answer = await (await caches.open(PINNED_CACHE)).match(toCacheKey(path));
  return answer ? sizeOf(answer) : 0;
}

const CHOICE_HEADER = 'x-kept-word';

/** What was said of single media, by the address of their file without its query. */
export async function getPinChoices(): Promise<ReadonlyMap<string, PinChoice>> {
  const cache = await caches.open(PIN_CHOICES);
  const words = new Map<string, PinChoice>();
  for (const request of await cache.keys()) {
    const word = (await cache.match(request))?.headers.get(CHOICE_HEADER);
    if (word === 'keep' || word === 'let go') words.set(request.url, word);
  }
  return words;
}

/** Writes down what the person says of the medium with this file; null takes it back. */
export async function setPinChoice(path: string, word: PinChoice | null): Promise<void> {
  const cache = await caches.open(PIN_CHOICES);
  if (word === null) await cache.delete(toCacheKey(path));
  else await cache.put(toCacheKey(path), new Response(null, { headers: { [CHOICE_HEADER]: word } }));
}

/** The body of an answer, telling how much of it came so far (0 to 1). */
async function bodyOf(answer: Response, onPart: (share: number) => void): Promise<Blob> {
  const size = sizeOf(answer);
  if (!answer.body || size === 0) return answer.blob();
  let came = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, through) {
        came += piece.length;
        onPart(Math.min(1, came / size));
        through.enqueue(piece);
      },
    }),
  );
  return new Response(counted, { headers: { 'Content-Type': answer.headers.get('Content-Type') ?? '' } }).blob();
}

interface PinOptions {
  /** Who asks, for files that are not everybody's. */
  headers: Record<string, string>;
  /** Kept already, of what the person set aside. */
  usedBytes: number;
  /** Gives it up. */
  signal: AbortSignal;
  /** Hears how much of it is here, 0 to 1. */
  onPart: (share: number) => void;
}

/**
 * Keeps a file until it is let go. The bytes come from the server, or from what was seen before where there is no signal.
 * @param path its address
 */
export async function pinFile(path: string, { headers, usedBytes, signal, onPart }: PinOptions): Promise<PinResult> {
  const key = toCacheKey(path);
  const [chosen, seen, marks] = await Promise.all(
    [PINNED_CACHE, MEDIA_CACHE, MEDIA_MARKS].map((name) => caches.open(name)),
  );
  const goodCopy = async (cache: Cache) => {
    const copy = await cache.match(key);
    return copy && isStoredFile(copy, key) ? copy : undefined;
  };
  if (await goodCopy(chosen!)) return 'kept';
  const giveUp = (): PinResult => (signal.aborted ? 'stopped' : 'unreachable');
  const answer = (await goodCopy(seen!)) ?? (await fetch(path, { headers, cache: 'no-store', signal }).catch(giveUp));
  if (!(answer instanceof Response)) return answer;
  if (!isStoredFile(answer, key)) return 'unreachable';
  // What cannot fit is not fetched to find that out.
  if (usedBytes + sizeOf(answer) > getOfflineBudget()) {
    await answer.body?.cancel();
    return 'over';
  }
  const body = await bodyOf(answer, onPart).catch(giveUp);
  if (!(body instanceof Blob)) return body;
  if (signal.aborted) return 'stopped';
  if (!isComplete(answer, body.size)) return 'unreachable';
  if (usedBytes + body.size > getOfflineBudget()) return 'over';
  const told = new Headers(answer.headers);
  told.delete('Content-Encoding');
  told.set('Content-Length', String(body.size));
  try {
    await chosen!.put(key, new Response(body, { status: 200, headers: told }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
    throw error;
  }
  // Once is enough.
  await Promise.all([seen!.delete(key), marks!.delete(key)]);
  return 'kept';
}

/** Lets files go; without addresses all of them. */
export async function unpinFiles(paths?: readonly string[]): Promise<void> {
  if (!paths) {
    await Promise.all([PINNED_CACHE, PIN_CHOICES].map((name) => caches.delete(name)));
    return;
  }
  const cache = await caches.open(PINNED_CACHE);
  for (const path of paths) await cache.delete(toCacheKey(path));
}

/** The files of a medium in the store: itself, and every picture of it. A video on YouTube has none. */
export function getMediaPaths(medium: Record<string, unknown>): string[] {
  const renditions = Array.isArray(medium.renditions) ? (medium.renditions as { path?: unknown }[]) : [];
  const paths = [medium.path, medium.thumb_path, ...renditions.map(({ path }) => path)];
  const own = paths.filter((path): path is string => typeof path === 'string' && path.startsWith('/storage/'));
  return [...new Set(own)];
}

/** Whether every one of these is kept. */
export const areAllPinned = (paths: readonly string[], kept: ReadonlyMap<string, number>): boolean =>
  kept.size > 0 && paths.length > 0 && paths.every((path) => kept.has(toCacheKey(path)));
