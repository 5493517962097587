import { fetchTransport } from '#net/fetch-transport.ts';
import { sendSignOuts } from '#sync/send-sign-outs.ts';

/**
 * Ends on the server the sessions that were signed out on this device. Those that could not be ended are tried again when
 * the browser is online, by the worker, and at the next start.
 * @returns the number of sessions still to be ended
 */
export async function sendPendingSignOuts(): Promise<number> {
  const remaining = await sendSignOuts((request, farewell) =>
    fetchTransport(() => Promise.resolve({ ...farewell, userId: '' })).send(request, { userId: '' }),
  );
  if (remaining === 0) return 0;
  addEventListener('online', () => void sendPendingSignOuts().catch(console.warn), { once: true });
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    (ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }) | undefined;
  // Some browsers have no background sync, and others refuse it if the person disabled background activity.
  await registration?.sync?.register('outbox').catch(() => undefined);
  return remaining;
}

/** Ends the pushes to this browser and removes those that it shows. The server also ends them with the session, but only once it hears of it. */
export async function endPushes(): Promise<void> {
  const registration = await (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  // Not awaited: without a connection, a browser may wait for its push service.
  void (registration?.pushManager as PushManager | undefined)
    ?.getSubscription()
    .then((subscription) => subscription?.unsubscribe())
    .catch(console.warn);
}
