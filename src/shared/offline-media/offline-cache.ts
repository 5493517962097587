import { isComplete, isStoredFile } from '#lib/stored-file.ts';
import { KEPT_CACHE, KEPT_WORDS, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';

/**
 * How a file came to be kept, or why it did not. `over`: beyond what the person set aside. `full`: the device has no room.
 * `stopped`: they changed their mind meanwhile.
 */
export type Keeping = 'kept' | 'over' | 'full' | 'unreachable' | 'stopped';

/** What the person said of one medium by itself. It counts more than what they say of the page it is on. */
export type Word = 'keep' | 'let go';

const BUDGET_KEY = 'keep-budget';
const MB = 1024 * 1024;
/** What may be set aside, bytes. */
export const BUDGETS = [100 * MB, 500 * MB, 2048 * MB] as const;

/** Bytes set aside for what is kept on purpose. */
export function keepBudget(): number {
  const set = Number(localStorage.getItem(BUDGET_KEY));
  return BUDGETS.find((each) => each === set) ?? BUDGETS[1];
}

export function setKeepBudget(bytes: number): void {
  localStorage.setItem(BUDGET_KEY, String(bytes));
}

/** A file's address without its query, which is only a signature that runs out. */
export const keyOf = (path: string): string => {
  const { origin, pathname } = new URL(path, location.origin);
  return origin + pathname;
};
const sizeOf = (answer: Response) => Number(answer.headers.get('Content-Length') ?? 0);

/** Files kept on purpose with their bytes, by address without its query. */
export async function keptMedia(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(KEPT_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (answer && isStoredFile(answer, request.url)) kept.set(request.url, sizeOf(answer));
  }
  return kept;
}

/** Bytes of one file that is kept; 0 where it is not. */
export async function keptBytes(path: string): Promise<number> {
  const answer = await (await caches.open(KEPT_CACHE)).match(keyOf(path));
  return answer ? sizeOf(answer) : 0;
}

const WORD = 'x-kept-word';

/** What was said of single media, by the address of their file without its query. */
export async function keptWords(): Promise<ReadonlyMap<string, Word>> {
  const cache = await caches.open(KEPT_WORDS);
  const words = new Map<string, Word>();
  for (const request of await cache.keys()) {
    const word = (await cache.match(request))?.headers.get(WORD);
    if (word === 'keep' || word === 'let go') words.set(request.url, word);
  }
  return words;
}

/** Writes down what the person says of the medium with this file; null takes it back. */
export async function sayOf(path: string, word: Word | null): Promise<void> {
  const cache = await caches.open(KEPT_WORDS);
  if (word === null) await cache.delete(keyOf(path));
  else await cache.put(keyOf(path), new Response(null, { headers: { [WORD]: word } }));
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

interface KeepOptions {
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
export async function keepFile(path: string, { headers, usedBytes, signal, onPart }: KeepOptions): Promise<Keeping> {
  const key = keyOf(path);
  const [chosen, seen, marks] = await Promise.all(
    [KEPT_CACHE, MEDIA_CACHE, MEDIA_MARKS].map((name) => caches.open(name)),
  );
  const goodCopy = async (cache: Cache) => {
    const copy = await cache.match(key);
    return copy && isStoredFile(copy, key) ? copy : undefined;
  };
  if (await goodCopy(chosen!)) return 'kept';
  const giveUp = (): Keeping => (signal.aborted ? 'stopped' : 'unreachable');
  const answer = (await goodCopy(seen!)) ?? (await fetch(path, { headers, cache: 'no-store', signal }).catch(giveUp));
  if (!(answer instanceof Response)) return answer;
  if (!isStoredFile(answer, key)) return 'unreachable';
  // What cannot fit is not fetched to find that out.
  if (usedBytes + sizeOf(answer) > keepBudget()) {
    await answer.body?.cancel();
    return 'over';
  }
  const body = await bodyOf(answer, onPart).catch(giveUp);
  if (!(body instanceof Blob)) return body;
  if (signal.aborted) return 'stopped';
  if (!isComplete(answer, body.size)) return 'unreachable';
  if (usedBytes + body.size > keepBudget()) return 'over';
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
export async function letGo(paths?: readonly string[]): Promise<void> {
  if (!paths) {
    await Promise.all([KEPT_CACHE, KEPT_WORDS].map((name) => caches.delete(name)));
    return;
  }
  const cache = await caches.open(KEPT_CACHE);
  for (const path of paths) await cache.delete(keyOf(path));
}

/** The files of a medium in the store: itself, and every picture of it. A video on YouTube has none. */
export function filesOf(medium: Record<string, unknown>): string[] {
  const renditions = Array.isArray(medium.renditions) ? (medium.renditions as { path?: unknown }[]) : [];
  const paths = [medium.path, medium.thumb_path, ...renditions.map(({ path }) => path)];
  const own = paths.filter((path): path is string => typeof path === 'string' && path.startsWith('/storage/'));
  return [...new Set(own)];
}

/** Whether every one of these is kept. */
export const areKept = (paths: readonly string[], kept: ReadonlyMap<string, number>): boolean =>
  kept.size > 0 && paths.length > 0 && paths.every((path) => kept.has(keyOf(path)));
