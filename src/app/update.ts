'fetched first by visitors';

import { Workbox } from 'workbox-window';

/** An open app checks for a new version this often, and when it comes back to the foreground. */
const CHECK_INTERVAL_MS = 60 * 60_000;
const BUSY_RECHECK_MS = 5_000;

/** Fetches pictures again that were loaded before the service worker was in control, so that it caches them. */
function cacheLoadedPictures(): void {
  const startedAt = performance.now();
  const seen = new Set<string>();
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (startTime > startedAt || seen.has(name) || !new URL(name).pathname.startsWith('/storage/')) continue;
      seen.add(name);
      // Offline: they are cached when they are next shown.
      fetch(name).catch(() => undefined);
    }
  }).observe({ type: 'resource', buffered: true });
}

export interface UpdateWatch {
  /** Returns true while a form has unsaved input, or files are being stored or sent. No update is offered or applied then. */
  isBusy: () => boolean;
  /**
   * A new version is ready: show 'New version ready' with a Reload button that calls `reload`. Called again if another tab
   * has activated the new version. `reload` takes up to ten seconds while something is being sent.
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
  let offerTimer: ReturnType<typeof setInterval> | undefined;

  const reload = () => {
    if (isBusy()) return offerWhenFree();
    isReloadRequested = true;
    // Another tab has already activated the new worker; only this page still runs the old version.
    if (isOutdated) location.reload();
    else worker.messageSkipWaiting();
  };
  const offerWhenFree = () => {
    clearInterval(offerTimer);
    if (!isBusy()) return onReady(reload);
    offerTimer = setInterval(() => {
      if (isBusy()) return;
      clearInterval(offerTimer);
      onReady(reload);
    }, BUSY_RECHECK_MS);
  };

  let isOutdated = false;
  // The very first worker also takes control, but is not an update.
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
    // Offline: the next check comes in an hour or on the next visit.
    worker.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', checkForUpdate);
  setInterval(checkForUpdate, CHECK_INTERVAL_MS);

  worker.register().catch((error: unknown) => {
    // Some browsers refuse workers in private windows. The app works there as long as there is signal.
    console.warn('No service worker:', error);
  });
}
