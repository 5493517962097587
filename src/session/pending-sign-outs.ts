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
