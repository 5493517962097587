import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import { PINNED_CACHE, MEDIA_CACHE } from '#lib/stored-media.ts';
import { observeQuery } from '#open-store/store.ts';
import { getMediaPaths, toCacheKey } from './offline-cache.ts';

/** Half of what the worker caches automatically; the other half is for other people's pictures. */
const BUDGET_BYTES = 60 * 1024 * 1024;
/** The worker caches no larger file. */
const MAX_FILE_BYTES = 30 * 1024 * 1024;

type Medium = Record<string, unknown>;

const sizeOf = ({ size }: Medium) => (typeof size === 'number' ? size : 0);
const isPlayable = ({ media_type: type }: Medium) => type === 'audio' || type === 'video';

/** Returns the recordings and films to prefetch: the newest first, as many as fit into the budget. */
export function chooseOwnMedia(media: readonly Medium[]): Medium[] {
  const newest = media
    .filter((medium) => isPlayable(medium) && getMediaPaths(medium).length > 0 && sizeOf(medium) <= MAX_FILE_BYTES)
    .sort((a, b) => String(b.created_at).localeCompare(String(a.created_at)));
  let usedBytes = 0;
  return newest.filter((medium) => (usedBytes += sizeOf(medium)) <= BUDGET_BYTES);
}

async function isCached(path: string): Promise<boolean> {
  for (const name of [PINNED_CACHE, MEDIA_CACHE]) {
    if (await (await caches.open(name)).match(toCacheKey(path))) return true;
  }
  return false;
}

const pathsOf = (media: readonly Medium[]) => chooseOwnMedia(media).flatMap(getMediaPaths);

/** Fetches the missing files one after the other. The worker caches each response as it passes through. */
async function fetchMissing(getMedia: () => readonly Medium[], signal: AbortSignal): Promise<void> {
  for (const path of pathsOf(getMedia())) {
    // The file may have been deleted or cached in the meantime.
    if (!pathsOf(getMedia()).includes(path) || (await isCached(path))) continue;
    const answer = await fetch(path, { signal });
    await answer.body?.pipeTo(new WritableStream());
  }
}

/**
 * Keeps the person's own recordings and films playable offline, including one that was just uploaded, whose local bytes are
 * deleted on acknowledgement. Fetches nothing if the browser's data saver is on.
 * @param signal aborted when the account is closed
 */
export function prefetchOwnMedia(db: AccountDb, signal: AbortSignal): void {
  const { serviceWorker, connection } = navigator as Partial<Navigator> & { connection?: { saveData?: boolean } };
  if (signal.aborted || !serviceWorker || connection?.saveData) return;
  let media: Medium[] = [];
  let lastRun = Promise.resolve();
  const run = () => {
    // Without a controlling worker nothing would be cached.
    if (!serviceWorker.controller) return;
    // A run that fails offline is repeated by the 'online' event.
    lastRun = lastRun.then(() => fetchMissing(() => media, signal)).catch(() => undefined);
  };
  const readOwnMedia = async ({ records: mirror, outbox }: AccountDb) => {
    const records = await mirror.where('[type+id]').between(['media', ''], ['media', '\uffff']).toArray();
    const queued = await outbox.where('lane').startsWith('media:').toArray();
    const deleted = new Set(queued.filter((row) => getEffect(row) === 'delete').map(({ target }) => target));
    return records.filter(({ id }) => !deleted.has(id)).map(({ body }) => body);
  };
  const unsubscribe = observeQuery(db, readOwnMedia, (rows) => {
    media = rows;
    run();
  });
  signal.addEventListener('abort', unsubscribe);
  addEventListener('online', run, { signal });
  serviceWorker.addEventListener('controllerchange', run, { signal });
}
