/// <reference lib="webworker" />
import { readSession } from '#db/device.ts';
import { storeShared, SHARE_CUT, SHARE_PATH } from '#lib/shared-files.ts';
import { mediaStore } from './media.ts';
import { drainOutbox } from './outbox.ts';
import { openPush, renewSubscription, showPush } from './push.ts';
import { unpackList } from './precache-list.ts';
import { createShell } from './shell.ts';
import { activateWhenFree } from './update.ts';

/** Background Sync exists only in Chromium and is missing from TypeScript's library. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: [{ url: string }] };

/** The shell is checked only after the app has started. */
const CHECK_DELAY_MS = 3_000;

// In development, no files of the shell are stored.
const shell = createShell(import.meta.env.DEV ? [] : unpackList(self.__WB_MANIFEST[0].url), self.location.origin);

const media = mediaStore({ files: 400, bytes: 120 * 1024 * 1024 }, async (url) => {
  const session = await readSession();
  return session && new URL(session.apiBase, self.location.origin).origin === url.origin ? session.token : null;
});
const apiOrigin = new URL(import.meta.env.VITE_API_BASE_URL ?? '/', self.location.origin).origin;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Receives a share from another app (`share_target` of the manifest). Rejects posts from other sites, which could forge
 * one. On a full disk, the page says that a part is missing.
 */
async function takeShare(request: Request): Promise<Response> {
  let to = '/media';
  try {
    if (request.headers.get('Sec-Fetch-Site') !== 'cross-site') await storeShared(await request.formData());
  } catch {
    to += SHARE_CUT;
  }
  return Response.redirect(to, 303);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === 'POST' && url.pathname === SHARE_PATH && url.origin === self.location.origin) {
    event.respondWith(takeShare(request));
    return;
  }
  const waitUntil = (work: Promise<unknown>) => event.waitUntil(work);
  const fromShell = shell.answer(request, waitUntil);
  if (fromShell) {
    event.respondWith(fromShell);
    if (request.mode === 'navigate') waitUntil(wait(CHECK_DELAY_MS).then(shell.checkAgain));
    return;
  }
  const isStoredFile = url.pathname.startsWith('/storage/') && [self.location.origin, apiOrigin].includes(url.origin);
  if (request.method !== 'GET' || !isStoredFile) return;
  event.respondWith(media.answer(request, waitUntil));
});

self.addEventListener('install', (event) =>
  event.waitUntil(
    shell.install().then(async () => {
      // No page can start under a poisoned worker, so no page can confirm the update.
      if (await shell.isFormerPoisoned()) await self.skipWaiting();
    }),
  ),
);

// The first worker of a device takes control of the open page, so that pictures are cached from the first visit on.
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([shell.removeOutdated(), self.clients.claim()])),
);

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown };
  if (type === 'SKIP_WAITING') event.waitUntil(activateWhenFree(self.navigator.locks, () => self.skipWaiting()));
  // Sent by public/rescue.js if the code of a page did not start.
  if (type === 'REPAIR') event.waitUntil(shell.check(true).then((found) => event.ports[0]?.postMessage(found)));
});

self.addEventListener('sync', (event) => {
  const { tag } = event as SyncEvent;
  if (tag === 'outbox') (event as SyncEvent).waitUntil(drainOutbox());
});

self.addEventListener('push', (event) => event.waitUntil(showPush(self.registration, event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPush(self.clients, event.notification.data));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription } = event as Event & { oldSubscription?: PushSubscription | null };
  (event as ExtendableEvent).waitUntil(renewSubscription(self.registration, oldSubscription));
});
