const MAX_WAIT_MS = 10_000;

/**
 * Activates the new worker once no context is sending, or after ten seconds. Waiting is not required for correctness:
 * an interrupted request is repeated under its idempotency key.
 */
export async function activateWhenFree(locks: LockManager, activate: () => Promise<void>): Promise<void> {
  const { held = [] } = await locks.query();
  const sends = held.flatMap(({ name }) => (name?.startsWith('outbox:') ? [name] : []));
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  await Promise.allSettled(sends.map((name) => locks.request(name, { signal }, () => undefined)));
  await activate();
}
