import { PUSH_CALLS } from '#contract/push-calls.ts';
import type { PushRecord } from '#contract/records/push.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { call, currentSender } from '#net/client.ts';
import { isInstalledApp } from '#ui/device.ts';

/** Why this browser receives no pushes, or that it could. */
type PushSupport =
  | 'possible'
  /** iPhones and iPads receive pushes only in the installed app. */
  | 'install first'
  /** The person, or a policy, has refused notifications for this site. */
  | 'refused'
  | 'unsupported';

/** Whether pushes are possible in this browser. */
export function getPushSupport(): PushSupport {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  const isIos =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  if (isIos && !isInstalledApp()) return 'install first';
  if (!canPush) return 'unsupported';
  return Notification.permission === 'denied' ? 'refused' : 'possible';
}

const toBytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));

const isSameKey = (key: ArrayBuffer | null, bytes: Uint8Array) => {
  const own = new Uint8Array(key ?? new ArrayBuffer(0));
  return own.length === bytes.length && own.every((byte, at) => byte === bytes[at]);
};

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function tellServer(subscription: PushSubscription): Promise<string | null> {
  const answer = await call(PUSH_CALLS.subscribe, { body: { ...subscription.toJSON(), time_zone: getDeviceZone() } });
  return answer.ok ? null : answer.error.message;
}

/** Subscribes the browser with the key of the server. @throws when the browser or its push service refuses */
async function subscribeBrowser(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = toBytes(publicKey);
  const before = await pushManager.getSubscription();
  if (before !== null) {
    if (isSameKey(before.options.applicationServerKey, applicationServerKey)) return before;
    // Of another installation, or of before its keys were lost. A browser has one subscription.
    await before.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** A browser without a push service, or behind a firewall, may never answer. */
const SERVICE_TIMEOUT_MS = 20_000;

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No push service')), SERVICE_TIMEOUT_MS)),
  ]);

const NO_SERVICE = 'This browser could not reach its push service. Try again when you are online.';

const DAY_MS = 86_400_000;
/** After a refusal, the app does not ask by itself for this long. */
const ASK_AGAIN_MS = 30 * DAY_MS;

/**
 * What the person chose on this device: 'on', or the time until which the app does not ask by itself. The permission belongs to the browser, and
 * somebody else may sign in to it.
 */
const choiceKey = () => `push:${currentSender()?.userId ?? ''}`;

const isOnHere = () => localStorage.getItem(choiceKey()) === 'on';

/** Whether the app may ask by itself: the person has not decided yet, or long ago. */
export const mayAsk = (now = Date.now()): boolean =>
  getPushSupport() === 'possible' && !isOnHere() && Number(localStorage.getItem(choiceKey()) ?? 0) <= now;

/** Does not ask again for a month. */
export const askLater = (): void => localStorage.setItem(choiceKey(), String(Date.now() + ASK_AGAIN_MS));

/**
 * Asks for permission and subscribes this device. Call it from a tap: browsers ask only then.
 * @returns null, or what went wrong
 */
export async function turnPushesOn(publicKey: string): Promise<string | null> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted')
    return 'This browser does not allow notifications of Callboard. Its site settings can change that.';
  localStorage.setItem(choiceKey(), 'on');
  const subscription = await withTimeout(subscribeBrowser(publicKey)).catch(() => null);
  return subscription === null ? NO_SERVICE : tellServer(subscription);
}

/** Ends the pushes to this device, also offline. */
export async function turnPushesOff(): Promise<void> {
  askLater();
  const subscription = await findSubscription();
  if (subscription === null) return;
  // The push service tells the server that it is gone, if this call does not arrive.
  await call(PUSH_CALLS.unsubscribe, { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe().catch(() => false);
}

/**
 * Renews the subscription at a start of the app: browsers drop subscriptions without telling, and the server forgets those that a push
 * service no longer knows. Does nothing unless the person has switched notifications on here.
 */
export async function renewPushes(): Promise<void> {
  if (getPushSupport() !== 'possible' || Notification.permission !== 'granted' || !isOnHere()) return;
  const answer = await call<PushRecord>(PUSH_CALLS.push);
  if (!answer.ok || answer.data.public_key === null) return;
  await tellServer(await withTimeout(subscribeBrowser(answer.data.public_key)));
}

/** Whether this device receives pushes, as far as it knows. */
export const arePushesOn = async (): Promise<boolean> =>
  getPushSupport() === 'possible' && Notification.permission === 'granted' && (await findSubscription()) !== null;
