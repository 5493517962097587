import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeSession } from '#db/device.ts';
import { renewSubscription, showPush } from '../../../src/sw/push.ts';

const endpoint = 'https://push.example/new';
const server = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const setAppBadge = vi.fn<(count: number) => Promise<void>>();
const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh: 'key', auth: 'secret' } }) };
/** The subscription that the browser has ended. */
const old = { options: { userVisibleOnly: true } } as unknown as PushSubscription;

/** A browser whose push service gives it a new subscription. @param hasOne whether it has one already */
function openBrowser(hasOne: boolean) {
  let isSubscribed = hasOne;
  const subscribe = vi.fn((_options: unknown) => {
    isSubscribed = true;
    return Promise.resolve(subscription);
  });
  const pushManager = { getSubscription: () => Promise.resolve(isSubscribed ? subscription : null), subscribe };
  const showNotification = vi.fn((_title: string, _options: NotificationOptions) => Promise.resolve());
  const registration = { pushManager, showNotification } as unknown as ServiceWorkerRegistration;
  return { registration, subscribe, showNotification };
}

const listCalls = () =>
  server.mock.calls.map(([url, { method, body }]) => ({
    call: `${method} ${url}`,
    body: JSON.parse(body as string) as unknown,
  }));
const told = {
  call: 'PUT https://callboard.example/push/subscription',
  body: {
    endpoint,
    keys: { p256dh: 'key', auth: 'secret' },
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
};

beforeEach(async () => {
  server.mockReset();
  server.mockImplementation(() => Promise.resolve(Response.json({})));
  setAppBadge.mockReset();
  setAppBadge.mockResolvedValue();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('fetch', server);
  vi.stubGlobal('navigator', { setAppBadge });
  const user = { id: '1', name: 'Nell', email: 'nell@callboard.example' };
  await writeSession({ token: 'one', userId: '1', user, apiBase: 'https://callboard.example' });
});
afterEach(() => vi.unstubAllGlobals());

describe('a subscription that the browser has ended', () => {
  it('is replaced by one with the same options, which the server is told', async () => {
    const { registration, subscribe } = openBrowser(false);
    await renewSubscription(registration, old);
    expect(subscribe).toHaveBeenCalledExactlyOnceWith(old.options);
    expect(listCalls()).toEqual([told]);
  });

  it('is told at the next renewal if the server could not be reached', async () => {
    const { registration, subscribe } = openBrowser(false);
    server.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await renewSubscription(registration, old);
    await renewSubscription(registration);
    expect(subscribe).toHaveBeenCalledOnce();
    expect(listCalls()).toEqual([told, told]);
  });

  it('is not replaced without the old one, whose key is unknown then', async () => {
    const { registration, subscribe } = openBrowser(false);
    await renewSubscription(registration, null);
    expect(subscribe).not.toHaveBeenCalled();
    expect(server).not.toHaveBeenCalled();
  });
});

describe('a push', () => {
  const push = (badge?: number) => ({ json: () => ({ notification: { title: 'Ila' }, app_badge: badge }) });

  it.each([3, 0])('sets the number on the icon to %i', async (badge) => {
    const { registration, showNotification } = openBrowser(true);
    await showPush(registration, push(badge));
    expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(badge);
    expect(showNotification).toHaveBeenCalledOnce();
  });

  it('leaves the number on the icon if it has none', async () => {
    await showPush(openBrowser(true).registration, push());
    expect(setAppBadge).not.toHaveBeenCalled();
  });

  it('for somebody else than who is signed in is shown in general words, and renews nothing', async () => {
    const { registration, showNotification } = openBrowser(true);
    const forPerson = (user: string) => ({
      json: () => ({ notification: { title: 'Ila', data: { id: `news of ${user}`, user } }, app_badge: 3 }),
    });
    await showPush(registration, forPerson('2'));
    expect(showNotification.mock.calls.map(([title]) => title)).toEqual(['Callboard']);
    expect([listCalls(), setAppBadge.mock.calls]).toEqual([[], []]);
    await showPush(registration, forPerson('1'));
    expect(showNotification.mock.lastCall?.[0]).toBe('Ila');
  });

  it('renews the subscription, and is shown though the server cannot be reached', async () => {
    server.mockRejectedValue(new TypeError('Failed to fetch'));
    const { registration, showNotification } = openBrowser(true);
    await showPush(registration, push(1));
    expect(listCalls()).toEqual([told]);
    expect(showNotification).toHaveBeenCalledOnce();
  });
});
