import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

/** Never a page of the app: the server's own addresses, and anything that ends like a file. */
const notPages = [/^\/(api|storage|uploads|broadcasting|healthz|openapi\.json)(\/|$)/, /\/[^/]+\.[^/]+$/];

/**
 * Keeps the shell and every lazy chunk, and opens any address of the app with the shell: after one visit the app starts
 * without a server. Lazy chunks count, or a screen never visited before would stay shut without signal.
 */
export function keepShell(manifest: (PrecacheEntry | string)[]): void {
  cleanupOutdatedCaches();
  precacheAndRoute(manifest, { cleanURLs: false });
  // In development nothing is precached, and the handler would throw while the worker starts.
  if (import.meta.env.DEV) return;
  registerRoute(
    new NavigationRoute(createHandlerBoundToURL('/index.html'), {
      denylist: notPages,
    }),
  );
}
