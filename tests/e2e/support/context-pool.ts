import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';

/**
 * Browser contexts that tests reuse one after the other. Stored data is removed in between; the installed app stays, since
 * installing it takes more than half of the time of opening a device.
 */
export interface ContextPool {
  /** A context with these options, signed out and without stored data; the app may be installed in it. */
  acquire(options: BrowserContextOptions): Promise<BrowserContext>;
  release(context: BrowserContext): Promise<void>;
}

/** Name of the service worker's cache of the app's files. */
const SHELL_CACHE = 'precache';

/** Closes a context's pages and workers, and removes all stored data except caches. Needs no server. */
async function clear(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearPermissions();
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  // A running worker keeps the store open and continues its work.
  await session.send('ServiceWorker.stopAllWorkers');
  const storageTypes = 'cookies,file_systems,indexeddb,local_storage';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await page.close();
}

/** Removes every cache but the app's. Only a page of the same origin can access them. */
async function clearCaches(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/healthz`);
  await page.evaluate(async (shell) => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
  }, SHELL_CACHE);
  await page.close();
}

/** @param origin of the app; its server must be running when a context is acquired */
export function createContextPool(browser: Browser, origin: string): ContextPool {
  const free = new Map<string, BrowserContext[]>();
  const keyOf = new WeakMap<BrowserContext, string>();
  return {
    async acquire(options) {
      const key = JSON.stringify(options);
      const used = free.get(key)?.pop();
      if (used) await clearCaches(used, origin);
      const context = used ?? (await browser.newContext(options));
      keyOf.set(context, key);
      return context;
    },
    async release(context) {
      await clear(context, origin);
      const key = keyOf.get(context)!;
      free.set(key, [...(free.get(key) ?? []), context]);
    },
  };
}
