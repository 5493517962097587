import { AccountDb, accountDbName } from '#db/database.ts';
import { type DeviceSession, readSession } from '#db/device.ts';
import type { PendingSignOut } from '#db/pending-sign-outs.ts';
import { sendSignOuts } from '#sync/send-sign-outs.ts';
import { isOnMobileData } from '#lib/mobile-data.ts';
import { realChance, realClock, webLock } from '#lib/platform.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';
import { fetchTransport } from '#net/fetch-transport.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import { drainExclusively, endNetworkWaits } from '#sync/send/lease.ts';

/** Less than the browser's limit for background sync (three minutes in Chromium), so that a request can finish. */
const DRAIN_BUDGET_MS = 120_000;

/**
 * Whether a later background sync could send something: an unsent row whose lane no row blocks that needs attention or a page.
 */
async function canMove(db: AccountDb): Promise<boolean> {
  if (await db.meta.get('auth-paused')) return false;
  const [stuck, lanes] = [new Set<string>(), new Set<string>()];
  await db.outbox.each((row) => (row.state === 'attention' || row.forPage ? stuck : lanes).add(row.lane));
  return [...lanes].some((lane) => !stuck.has(lane));
}

/**
 * Sends the signed-in user's outbox, also while no page is open. Reads the token before each request, so that nothing
 * is sent for a user who has signed out in the meantime. Rejects if a later attempt could send more: the browser then
 * wakes the worker again.
 */
export async function drainOutbox(): Promise<void> {
  const left = await sendSignOuts(sendAs);
  const session = await readSession();
  if (session !== null) await drainFor(session);
  if (left > 0) throw new Error('Pending sign-outs remain');
}

/** Sends a request of a session that has ended on this device. */
function sendAs(request: WireRequest, signOut: PendingSignOut): Promise<WireAnswer> {
  return fetchTransport(() => Promise.resolve({ ...signOut, userId: '' })).send(request, { userId: '' });
}

async function drainFor(session: DeviceSession): Promise<void> {
  const db = new AccountDb(accountDbName(session.apiBase, session.userId), session.userId);
  try {
    const ports = {
      clock: realClock,
      chance: realChance,
      transport: fetchTransport(readSession),
      lock: webLock(`outbox:${db.name}`),
      // A conflict may need the person, so it waits for a page.
      loadConflictTools: () => Promise.resolve(null),
      isWorker: true as const,
      dropCaches: clearSeenMedia,
      isOnMobileData,
    };
    // The browser wakes the worker when there is a connection.
    await endNetworkWaits(db);
    const drained = await drainExclusively(db, ports, 'worker', DRAIN_BUDGET_MS);
    if (drained !== 'empty' && (await canMove(db))) throw new Error(`Unsent changes remain (${drained})`);
  } finally {
    db.close();
  }
}
