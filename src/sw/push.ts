import { PUSHES_SEEN, SUBSCRIBE } from '#contract/push-calls.ts';
import type { Endpoint } from '#contract/section.ts';
import { readSession, withStore, type DeviceSession } from '#db/device.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { exchangeByFetch } from '#net/fetch-transport.ts';

/** What the server pushes: see `server/features/push/compose.ts`. Anything may be missing. */
interface Payload {
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    /** `user`: the id of whom it is for. */
    data?: { id?: string; user?: string };
  };
  app_badge?: number;
}

/** The message of a push event. */
interface Message {
  json: () => unknown;
}

/** The open pages, as `Clients` has them. */
interface Windows {
  matchAll: (which: {
    type: 'window';
    includeUncontrolled: true;
  }) => Promise<readonly { url: string; focus: () => Promise<unknown> }[]>;
  openWindow: (url: string) => Promise<unknown>;
}

const SHOWN = 'pushes';
const MAX_SHOWN = 200;
const TIMEOUT_MS = 15_000;
/** A store that does not answer must not keep a push from being shown. */
const STORE_TIMEOUT_MS = 1000;

const GENERAL = { title: 'Callboard', body: 'Open Callboard to see what is new.' };

async function tell({ method, path }: Pick<Endpoint, 'method' | 'path'>, value: unknown): Promise<void> {
  const session = await readSession();
  if (session === null) return;
  const body = { kind: 'json', value } as const;
  await exchangeByFetch({ method, path, headers: {}, body, timeoutMs: TIMEOUT_MS }, session, session.apiBase);
}

/** Tells the server where pushes to this device go. @param old the subscription that has ended, to be replaced by one like it */
export async function renewSubscription(
  { pushManager }: ServiceWorkerRegistration,
  old?: PushSubscription | null,
): Promise<void> {
  const subscription = (await pushManager.getSubscription()) ?? (old && (await pushManager.subscribe(old.options)));
  if (subscription) await tell(SUBSCRIBE, { ...subscription.toJSON(), time_zone: getDeviceZone() });
}

/** Who is signed in, and the ids of the pushes shown last; undefined if the store does not answer. */
const readStore = (): Promise<[DeviceSession | null, string[] | undefined] | undefined> =>
  Promise.race([
    Promise.all([readSession(), withStore<string[] | undefined>('readonly', (store) => store.get(SHOWN))]),
    new Promise<undefined>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS)),
  ]).catch(() => undefined);

/**
 * Shows a push. Every push shows exactly one notification, also with a page open, with a payload that cannot be read, and after signing out:
 * Safari takes the permission away after three that show none. A repeat replaces the first without a sound.
 */
export async function showPush(registration: ServiceWorkerRegistration, data: Message | null): Promise<void> {
  let payload: Payload | null = null;
  try {
    payload = data?.json() as Payload | null;
  } catch {
    // Shown in general words.
  }
  const stored = await readStore();
  // What it says may be for a person who has signed out, also where somebody else has signed in.
  const session = stored?.[0];
  const user = payload?.notification?.data?.user;
  const isForOther = session === null || (session && user !== undefined && user !== session.userId);
  const shown: Payload['notification'] = isForOther ? undefined : payload?.notification;
  const { title = GENERAL.title, body = GENERAL.body, tag = 'general', navigate, data: { id } = {} } = shown ?? {};
  const seen = stored?.[1] ?? [];
  const isRepeat = id !== undefined && seen.includes(id);
  await registration.showNotification(title, {
    body,
    tag,
    icon: '/icons/any-192.png',
    badge: '/icons/monochrome-512.png',
    data: navigate,
    silent: isRepeat,
    renotify: !isRepeat,
  } as NotificationOptions);
  const { setAppBadge } = navigator;
  const badge = isForOther ? undefined : payload?.app_badge;
  const work: Promise<unknown>[] = isForOther ? [] : [renewSubscription(registration)];
  if (badge !== undefined && setAppBadge) work.push(setAppBadge.call(navigator, badge));
  if (id !== undefined) {
    work.push(tell(PUSHES_SEEN, { ids: [id] }));
    if (!isRepeat) work.push(withStore('readwrite', (store) => store.put([...seen, id].slice(-MAX_SHOWN), SHOWN)));
  }
  await Promise.allSettled(work);
}

/** Opens what a push is about: a page that shows it already, or a new one, which needs no server. @param target its address */
export async function openPush(clients: Windows, target: unknown): Promise<void> {
  const { origin } = location;
  const wanted = new URL(typeof target === 'string' ? target : '/', origin);
  // Only the path: the server may be known under another name here.
  const url = origin + wanted.pathname + wanted.search;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => page.url === url);
  await (open ? open.focus() : clients.openWindow(url));
}
