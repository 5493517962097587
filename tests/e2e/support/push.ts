import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Device } from './device.ts';

interface Scope {
  /** Number of notifications that the worker has shown. */
  shown?: number;
  ServiceWorkerRegistration: { prototype: { showNotification: (...args: unknown[]) => Promise<void> } };
}

/**
 * Delivers a push to the worker, as the push service of the browser does, and waits until a notification is shown. Needs no page of the app.
 * Asking for the notifications before would make Chromium forget the one that it is about to show.
 */
export async function deliverPush({ context }: Device, origin: string, data: string): Promise<void> {
  const worker = context.serviceWorkers()[0]!;
  const countShown = () => worker.evaluate(() => (globalThis as unknown as Scope).shown ?? 0);
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    if (scope.shown !== undefined) return;
    scope.shown = 0;
    const { prototype } = scope.ServiceWorkerRegistration;
    const show = prototype.showNotification;
    prototype.showNotification = async function (...args) {
      await show.apply(this, args);
      scope.shown = (scope.shown ?? 0) + 1;
    };
  });
  const before = await countShown();
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find((each) => each.scopeURL.startsWith(origin) && !each.isDeleted);
      if (own) resolve(own.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await found, data });
  await expect.poll(countShown).toBe(before + 1);
  await tab.close();
}

/** A push as the server composes it. */
export const pushOf = (origin: string, path: string, id: string = randomUUID(), title = 'Ila Deshpande') =>
  JSON.stringify({
    web_push: 8030,
    notification: {
      title,
      body: 'Sent you a message',
      navigate: `${origin}${path}`,
      tag: `c-${path}`,
      lang: 'en',
      silent: false,
      data: { id, kind: 'message' },
    },
    app_badge: 1,
  });

/** Gives the browser a push service: this Chromium has none, and waits for it without end. @param origin an allowed one */
export async function addPushService(page: Page, origin: string): Promise<void> {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const endpoint = `${origin}/${randomUUID()}`;
  await page.addInitScript(
    ({ keys, endpoint }) => {
      let isSubscribed = localStorage.getItem('test:subscribed') !== null;
      const subscription = {
        endpoint,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
        unsubscribe: () => {
          localStorage.removeItem('test:subscribed');
          isSubscribed = false;
          return Promise.resolve(true);
        },
      };
      PushManager.prototype.getSubscription = () =>
        Promise.resolve(isSubscribed ? (subscription as unknown as PushSubscription) : null);
      PushManager.prototype.subscribe = () => {
        localStorage.setItem('test:subscribed', '1');
        isSubscribed = true;
        return Promise.resolve(subscription as unknown as PushSubscription);
      };
    },
    { keys, endpoint },
  );
}
