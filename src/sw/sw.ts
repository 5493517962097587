/// <reference lib="webworker" />
import { readSession } from '#db/device.ts';
import { storeShared, SHARE_PATH } from '#lib/shared-files.ts';
import { mediaStore } from './media.ts';
import { drainOutbox } from './outbox.ts';
import { createShell, type ShellFile } from './shell.ts';
import { activateWhenFree } from './update.ts';

/** Background Sync is Chromium's alone and not in TypeScript's library. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] };

/** The start of the app comes first; what its files lack is looked for behind it. */
const CHECK_DELAY_MS = 3_000;

// In development nothing is stored.
const shell = createShell(import.meta.env.DEV ? [] : self.__WB_MANIFEST, self.location.origin);

const media = mediaStore({ files: 400, bytes: 120 * 1024 * 1024 }, async (url) => {
  const session = await readSession();
  return session && new URL(session.apiBase, self.location.origin).origin === url.origin ? session.token : null;
});
const apiOrigin = new URL(import.meta.env.VITE_API_BASE_URL ?? '/', self.location.origin).origin;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Another app shares with this one, as the manifest offers. Other sites may not: they would post in somebody's name. */
async function takeShare(request: Request): Promise<Response> {
  if (request.headers.get('Sec-Fetch-Site') !== 'cross-site') await storeShared(await request.formData());
  return Response.redirect('/media', 303);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === 'POST' && url.pathname === SHARE_PATH && url.origin === self.location.origin) {
    event.respondWith(takeShare(request));
    return;
  }
  const later = (work: Promise<unknown>) => event.waitUntil(work);
  const fromShell = shell.answer(request, later);
  if (fromShell) {
    event.respondWith(fromShell);
    if (request.mode === 'navigate') later(wait(CHECK_DELAY_MS).then(shell.checkAgain));
    return;
  }
  const isStoredFile = url.pathname.startsWith('/storage/') && [self.location.origin, apiOrigin].includes(url.origin);
  if (request.method !== 'GET' || !isStoredFile) return;
  event.respondWith(media.answer(request, later));
});

self.addEventListener('install', (event) =>
  event.waitUntil(
    shell.install().then(async () => {
      // No page can start under that worker, so there is none to ask.
      if (await shell.isFormerPoisoned()) await self.skipWaiting();
    }),
  ),
);

// The first worker of a device takes the open page over, so that its pictures are kept from the first visit on.
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([shell.removeOutdated(), self.clients.claim()])),
);

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown };
  if (type === 'SKIP_WAITING') event.waitUntil(activateWhenFree(self.navigator.locks, () => self.skipWaiting()));
  // public/rescue.js asks, where the code of a page did not start.
  if (type === 'REPAIR') event.waitUntil(shell.check(true).then((found) => event.ports[0]?.postMessage(found)));
});

self.addEventListener('sync', (event) => {
  const { tag } = event as SyncEvent;
  if (tag === 'outbox') (event as SyncEvent).waitUntil(drainOutbox());
});
