'fetched first by visitors';

import { Workbox } from 'workbox-window';

/** How often an open app looks for a new version; it also looks when it comes back to the front. */
const CHECK_INTERVAL_MS = 60 * 60_000;
const BUSY_RECHECK_MS = 5_000;

/** Has the pictures that came before there was a worker pass it, which stores them. */
function cacheLoadedPictures(): void {
  const startedAt = performance.now();
  const seen = new Set<string>();
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (startTime > startedAt || seen.has(name) || !new URL(name).pathname.startsWith('/storage/')) continue;
      seen.add(name);
      // Without signal they are stored when they are seen again.
      fetch(name).catch(() => undefined);
    }
  }).observe({ type: 'resource', buffered: true });
}

export interface UpdateWatch {
  /** True while a form holds unsaved words, or files are being stored or sent: nothing is offered or reloaded then. */
  isBusy: () => boolean;
  /**
   * A new version is ready: show 'New version ready' with a Reload button that calls `reload`. Called again where
   * another tab has moved on to it. Reload takes at most ten seconds when something is being sent.
   */
  onReady: (reload: () => void) => void;
}

/**
 * Registers the service worker and watches for new versions. Never reloads by itself.
 * Does nothing in development and in browsers without service workers.
 */
export function watchForUpdates({ isBusy, onReady }: UpdateWatch): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const worker = new Workbox('/sw.js', { updateViaCache: 'none' });
  let isReloadRequested = false;
  let offered: ReturnType<typeof setInterval> | undefined;

  const reload = () => {
    if (isBusy()) return offerWhenFree();
    isReloadRequested = true;
    // Without a waiting worker another tab has already let it in, and this page alone is old.
    if (isOutdated) location.reload();
    else worker.messageSkipWaiting();
  };
  const offerWhenFree = () => {
    clearInterval(offered);
    if (!isBusy()) return onReady(reload);
    offered = setInterval(() => {
      if (isBusy()) return;
      clearInterval(offered);
      onReady(reload);
    }, BUSY_RECHECK_MS);
  };

  let isOutdated = false;
  // The first worker of all takes over too, and is no news.
  let hasWorker = navigator.serviceWorker.controller !== null;
  worker.addEventListener('waiting', offerWhenFree);
  worker.addEventListener('controlling', () => {
    if (!hasWorker) {
      hasWorker = true;
      cacheLoadedPictures();
      return;
    }
    if (isReloadRequested && !isBusy()) return location.reload();
    isOutdated = true;
    offerWhenFree();
  });

  let checkedAt = Date.now();
  const checkForUpdate = () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_INTERVAL_MS) return;
    checkedAt = Date.now();
    // Without signal there is nothing to find; the next look comes with the next hour or the next visit.
    worker.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', checkForUpdate);
  setInterval(checkForUpdate, CHECK_INTERVAL_MS);

  worker.register().catch((error: unknown) => {
    // Some browsers refuse workers in private windows. The app works there as long as there is signal.
    console.warn('No service worker:', error);
  });
}
