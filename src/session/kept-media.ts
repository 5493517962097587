import { KEPT_CACHE, MEDIA_CACHE, MEDIA_MARKS } from '#lib/stored-media.ts';

/** How a file came to be kept, or why it did not. `over`: beyond what the person set aside. `full`: the device has no room. */
export type Keeping = 'kept' | 'over' | 'full' | 'unreachable';

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

const keyOf = (path: string) => new URL(new URL(path, location.origin).pathname, new URL(path, location.origin)).href;
const sizeOf = (answer: Response) => Number(answer.headers.get('Content-Length') ?? 0);

/** Files kept on purpose with their bytes, by address without its query. */
export async function keptMedia(): Promise<ReadonlyMap<string, number>> {
  const cache = await caches.open(KEPT_CACHE);
  const kept = new Map<string, number>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (answer) kept.set(request.url, sizeOf(answer));
  }
  return kept;
}

/**
 * Keeps a file until it is let go. The bytes come from the server, or from what was seen before where there is no signal.
 * @param path its address
 * @param headers who asks, for files that are not everybody's
 */
export async function keepFile(path: string, headers: Record<string, string>): Promise<Keeping> {
  const key = keyOf(path);
  const [chosen, seen, marks] = await Promise.all(
    [KEPT_CACHE, MEDIA_CACHE, MEDIA_MARKS].map((name) => caches.open(name)),
  );
  if (await chosen!.match(key)) return 'kept';
  let answer = await seen!.match(key);
  if (!answer) {
    try {
      answer = await fetch(path, { headers, cache: 'no-store' });
    } catch {
      return 'unreachable';
    }
    if (answer.status !== 200 || answer.redirected) return 'unreachable';
  }
  const body = await answer.blob();
  const used = [...(await keptMedia()).values()].reduce((sum, size) => sum + size, 0);
  if (used + body.size > keepBudget()) return 'over';
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
    await caches.delete(KEPT_CACHE);
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
  paths.length > 0 && paths.every((path) => kept.has(keyOf(path)));
