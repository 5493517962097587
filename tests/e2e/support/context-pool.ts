import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';

/**
 * Contexts of one browser that tests use one after the other. What a test stored is removed in between; the installed app
 * stays, as installing it takes more than half of the time of opening a phone.
 */
export interface ContextPool {
  /** One with these options in which nobody is signed in and nothing is stored; the app may be installed in it. */
  acquire(options: BrowserContextOptions): Promise<BrowserContext>;
  release(context: BrowserContext): Promise<void>;
}

/** The cache of the app's own files, as the worker names it. */
const SHELL_CACHE = 'precache';

/** Ends what runs in a context, and removes all that is stored but for caches. Needs no server. */
async function clear(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearPermissions();
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  // A worker has the store open, and goes on with what it has begun.
  await session.send('ServiceWorker.stopAllWorkers');
  const storageTypes = 'cookies,file_systems,indexeddb,local_storage';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await page.close();
}

/** Removes every cache but the app's. They can be reached from a page of their origin alone. */
async function clearCaches(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/healthz`);
  await page.evaluate(async (shell) => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
  }, SHELL_CACHE);
  await page.close();
}

/** @param origin where the app of these contexts is; its server runs when one is taken */
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
