'fetched soon after the start';

import { DEVICE_CALLS } from '#contract/device-calls.ts';
import { STORE_HEADER } from '#contract/pending.ts';
import type { LostRecord } from '#contract/records/devices.ts';
import type { AccountDb } from '#db/database.ts';
import { readLost, storeLost } from '#db/lost-devices.ts';
import { webLock } from '#lib/platform.ts';
import { reachability, read } from '#net/client.ts';
import { readWaiting, toHeaders, toText } from '#sync/send/ledger.ts';

/** A page that stays open asks again when the person returns after this long. */
const ASK_AGAIN_MS = 60 * 60_000;

/**
 * Tells the server what waits on this device, and whether its store is new, and asks what never arrived from the person's devices. From then
 * on, sending keeps the server up to date.
 * @returns whether the server answered
 */
async function tellAndAsk(db: AccountDb): Promise<boolean> {
  const born = await db.meta.get('born');
  const isNew = born?.k === 'born' && born.isNew === true;
  const waiting = await readWaiting(db);
  const before = await readLost(db);
  const headers = { ...toHeaders(waiting), ...(isNew && { [STORE_HEADER]: 'new' }) };
  const answer = await read<LostRecord[]>(DEVICE_CALLS.lost.path, { headers });
  // A server without the call keeps no account of devices.
  if (!answer.ok) return answer.error.reason === 'missing';
  if ('same' in answer) return true;
  await db.transaction('rw', db.meta, async () => {
    if (isNew) await db.meta.put({ k: 'born', at: born.at });
    await db.meta.put({ k: 'told', text: toText(waiting) });
    await storeLost(db, before, answer.data);
  });
  return true;
}

/**
 * Does so once the server can be reached, and again when the person returns to a page that has been open for long.
 * @param signal ends it
 */
export function keepTellingWaiting(db: AccountDb, signal: AbortSignal): void {
  // Two tabs must not both report a new store: the second would take for lost what waits in it by then.
  const lock = webLock(`told:${db.name}`);
  let askedAt: number | null = null;
  const run = () => {
    const isDue = askedAt === null || Math.abs(Date.now() - askedAt) > ASK_AGAIN_MS;
    if (!isDue || signal.aborted || document.visibilityState === 'hidden' || !reachability.get()) return;
    lock
      .tryRun(async () => {
        if (await tellAndAsk(db)) askedAt = Date.now();
      })
      .catch(console.warn);
  };
  document.addEventListener('visibilitychange', run, { signal });
  signal.addEventListener('abort', reachability.subscribe(run));
  run();
}
