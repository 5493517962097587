import { fetchTransport } from '#net/fetch-transport.ts';
import { sendFarewells } from '#sync/farewells.ts';

/**
 * Ends sessions on the server that were left on this device, and says how many are left. Those are tried again when the
 * browser is online, by the worker, and at the next start.
 */
export async function sendLeft(): Promise<number> {
  const left = await sendFarewells((request, farewell) =>
    fetchTransport(() => Promise.resolve({ ...farewell, userId: '' })).send(request, { userId: '' }),
  );
  if (left === 0) return 0;
  addEventListener('online', () => void sendLeft().catch(console.warn), { once: true });
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    (ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }) | undefined;
  // Refused where the person switched background work off, and unknown to some browsers.
  await registration?.sync?.register('outbox').catch(() => undefined);
  return left;
}
