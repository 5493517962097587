/// <reference lib="webworker" />
import type { PrecacheEntry } from 'workbox-precaching';
import { readSession } from '#db/device.ts';
import { keepShared, SHARE_PATH } from '#lib/shared-files.ts';
import { mediaStore } from './media.ts';
import { drainOutbox } from './outbox.ts';
import { keepShell } from './shell.ts';
import { activateWhenFree } from './update.ts';

/** Background Sync is Chromium's alone and not in TypeScript's library. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

keepShell(self.__WB_MANIFEST);

const media = mediaStore({ files: 400, bytes: 120 * 1024 * 1024 }, async (url) => {
  const session = await readSession();
  return session && new URL(session.apiBase, self.location.origin).origin === url.origin ? session.token : null;
});
const apiOrigin = new URL(import.meta.env.VITE_API_BASE_URL ?? '/', self.location.origin).origin;

/** Another app shares with this one, as the manifest offers. Other sites may not: they would post in somebody's name. */
async function takeShare(request: Request): Promise<Response> {
  if (request.headers.get('Sec-Fetch-Site') !== 'cross-site') await keepShared(await request.formData());
  return Response.redirect('/media', 303);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === 'POST' && url.pathname === SHARE_PATH && url.origin === self.location.origin) {
    event.respondWith(takeShare(request));
    return;
  }
  const isStoredFile = url.pathname.startsWith('/storage/') && [self.location.origin, apiOrigin].includes(url.origin);
  if (request.method !== 'GET' || !isStoredFile) return;
  event.respondWith(media.answer(request, (work) => event.waitUntil(work)));
});

// The first worker of a device takes the open page over, so that its pictures are kept from the first visit on.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type !== 'SKIP_WAITING') return;
  event.waitUntil(activateWhenFree(self.navigator.locks, () => self.skipWaiting()));
});

self.addEventListener('sync', (event) => {
  const { tag } = event as SyncEvent;
  if (tag === 'outbox') (event as SyncEvent).waitUntil(drainOutbox());
});
