import { AccountDb, accountDbName } from '#db/database.ts';
import { type DeviceSession, readSession } from '#db/device.ts';
import type { PendingSignOut } from '#db/pending-sign-outs.ts';
import { sendSignOuts } from '#sync/send-sign-outs.ts';
import { digestHex, freeBytes, realChance, realClock, webLock } from '#lib/platform.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';
import { fetchTransport } from '#net/fetch-transport.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import { drainExclusively, endNetworkWaits } from '#sync/send/lease.ts';

/** Below the browser's own limit for a background wake-up (three minutes in Chromium), so that a send ends in order. */
const DRAIN_BUDGET_MS = 120_000;

/** Something waits that no person has to look at first: another wake-up can send it. */
async function canMove(db: AccountDb): Promise<boolean> {
  if (await db.meta.get('auth-paused')) return false;
  const parked = db.outbox.where('[state+notBefore]').between(['attention', -Infinity], ['attention', Infinity]);
  const stuck = new Set((await parked.toArray()).map((row) => row.lane));
  return (await db.outbox.filter((row) => !stuck.has(row.lane)).first()) !== undefined;
}

/**
 * Sends what the signed-in person's outbox holds, while no page may be open. The token is read before each request, so
 * that nothing is sent for somebody who signed out meanwhile.
 * Rejects while work remains that a later try could send: the browser then wakes the worker again.
 */
export async function drainOutbox(): Promise<void> {
  const left = await sendSignOuts(sendAs);
  const session = await readSession();
  if (session !== null) await drainFor(session);
  if (left > 0) throw new Error('A session still has to be ended');
}

/** Sends for a session that is over on this device. */
function sendAs(request: WireRequest, farewell: PendingSignOut): Promise<WireAnswer> {
  return fetchTransport(() => Promise.resolve({ ...farewell, userId: '' })).send(request, { userId: '' });
}

async function drainFor(session: DeviceSession): Promise<void> {
  const db = new AccountDb(accountDbName(session.apiBase, session.userId), session.userId);
  try {
    const ports = {
      clock: realClock,
      chance: realChance,
      transport: fetchTransport(readSession),
      lock: webLock(`outbox:${db.name}`),
      digest: digestHex,
      loadConflictTools: () => Promise.resolve(conflictTools),
      freeBytes,
      dropCaches: clearSeenMedia,
    };
    // The browser wakes the worker when there is signal.
    await endNetworkWaits(db);
    const drained = await drainExclusively(db, ports, 'worker', DRAIN_BUDGET_MS);
    if (drained !== 'empty' && (await canMove(db))) throw new Error(`Changes still wait (${drained})`);
  } finally {
    db.close();
  }
}
