const MAX_WAIT_MS = 10_000;

/**
 * Lets the new worker take over once nobody is sending, at the latest after ten seconds: a send cut short is only
 * repeated under its key, so that waiting is courtesy and not a condition.
 */
export async function activateWhenFree(locks: LockManager, activate: () => Promise<void>): Promise<void> {
  const { held = [] } = await locks.query();
  const sends = held.flatMap(({ name }) => (name?.startsWith('outbox:') ? [name] : []));
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  await Promise.allSettled(sends.map((name) => locks.request(name, { signal }, () => undefined)));
  await activate();
}
