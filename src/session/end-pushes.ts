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
