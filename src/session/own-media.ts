import type { AccountDb } from '#db/database.ts';
import { KEPT_CACHE, MEDIA_CACHE } from '#lib/stored-media.ts';
import { filesOf, keyOf } from './kept-media.ts';
import { watch } from './read-safely.ts';

/** Half of what the worker stores by itself: other people's pictures have the rest. */
const BUDGET_BYTES = 60 * 1024 * 1024;
/** The worker stores no larger file. */
const MAX_FILE_BYTES = 30 * 1024 * 1024;

type Medium = Record<string, unknown>;

const sizeOf = ({ size }: Medium) => (typeof size === 'number' ? size : 0);
const isPlayed = ({ media_type: type }: Medium) => type === 'audio' || type === 'video';

/** The recordings and films to have here, the newest first, as many as the budget holds. */
export function chooseOwnMedia(media: readonly Medium[]): Medium[] {
  const newest = media
    .filter((medium) => isPlayed(medium) && filesOf(medium).length > 0 && sizeOf(medium) <= MAX_FILE_BYTES)
    .sort((a, b) => String(b.created_at).localeCompare(String(a.created_at)));
  let usedBytes = 0;
  return newest.filter((medium) => (usedBytes += sizeOf(medium)) <= BUDGET_BYTES);
}

async function isHere(path: string): Promise<boolean> {
  for (const name of [KEPT_CACHE, MEDIA_CACHE]) {
    if (await (await caches.open(name)).match(keyOf(path))) return true;
  }
  return false;
}

const pathsOf = (media: readonly Medium[]) => chooseOwnMedia(media).flatMap(filesOf);

/** Fetches what is missing, one file after the other. The worker stores each as it passes. */
async function fetchMissing(list: () => readonly Medium[], signal: AbortSignal): Promise<void> {
  for (const path of pathsOf(list())) {
    // Deleted meanwhile, or stored meanwhile.
    if (!pathsOf(list()).includes(path) || (await isHere(path))) continue;
    const answer = await fetch(path, { signal });
    await answer.body?.pipeTo(new WritableStream());
  }
}

/**
 * Keeps one's own recordings and films playable without signal, also one sent a minute ago, whose bytes leave the device with
 * the acknowledgement. Nothing is fetched where the person saves data.
 * @param signal aborted when the account is left
 */
export function keepOwnMedia(db: AccountDb, signal: AbortSignal): void {
  const { serviceWorker, connection } = navigator as Partial<Navigator> & { connection?: { saveData?: boolean } };
  if (signal.aborted || !serviceWorker || connection?.saveData) return;
  let media: Medium[] = [];
  let turn = Promise.resolve();
  const look = () => {
    // Without a worker in charge nothing would be stored.
    if (!serviceWorker.controller) return;
    // Without signal the next look comes with it.
    turn = turn.then(() => fetchMissing(() => media, signal)).catch(() => undefined);
  };
  const ownMedia = async ({ records: mirror, outbox }: AccountDb) => {
    const records = await mirror.where('[type+id]').between(['media', ''], ['media', '\uffff']).toArray();
    const waiting = await outbox.where('lane').startsWith('media:').toArray();
    const leaving = new Set(waiting.filter(({ kind }) => kind === 'delete').map(({ target }) => target));
    return records.filter(({ id }) => !leaving.has(id)).map(({ body }) => body);
  };
  const endWatch = watch(db, ownMedia, (listed) => {
    media = listed;
    look();
  });
  signal.addEventListener('abort', endWatch);
  addEventListener('online', look, { signal });
  serviceWorker.addEventListener('controllerchange', look, { signal });
}
