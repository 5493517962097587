import type { AccountDb } from '#db/database.ts';
import type { OpState } from '#db/rows.ts';
import { getKnownServer } from '../server/connect.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Ports } from '../ports.ts';
import { Sender, type DrainResult } from './sender.ts';

const LEASE_BEAT_MS = 5000;
const LEASE_DEAD_MS = 30_000;

/**
 * Runs a drain under the lock, so that only one page or worker drains a store at a time. Returns `waiting` at once when
 * another context holds the lock.
 * @param holder identifies this context in the lease
 * @param budgetMs how long new requests may start
 * @param onStart receives the running drain, to stop it
 */
export async function drainExclusively(
  db: AccountDb,
  ports: EnginePorts,
  holder: string,
  budgetMs: number,
  onStart?: (drain: Sender) => void,
): Promise<DrainResult> {
  let result: DrainResult = 'waiting';
  const work = async (isHeld: () => boolean) => {
    const stopBeating = await beat(db, ports, holder);
    try {
      const drain = new Sender(db, ports, budgetMs, isHeld);
      onStart?.(drain);
      result = await drain.run();
    } finally {
      stopBeating();
    }
  };
  if (await ports.lock.tryRun(work)) return result;
  // A holder without a recent heartbeat is dead or frozen. Without idempotency keys, a second sender could send its
  // rows twice, so wait.
  const lease = await db.meta.get('lease');
  const dead = lease?.k !== 'lease' || Math.abs(ports.clock.now() - lease.beat) > LEASE_DEAD_MS;
  if (dead && (await getKnownServer(db))?.isRepeatSafe) await ports.lock.tryRun(work, { steal: true });
  return result;
}

/** Makes rows due that wait because of a missing network. Called when the browser or the user reports a network. */
export async function endNetworkWaits(db: AccountDb): Promise<void> {
  await findWaiting(db, ['queued', 'verify'])
    .filter((row) => row.hold !== true && row.lastError?.status === 0)
    .modify((row) => {
      row.notBefore = 0;
      // The back-off begins anew, but it stays known that a request was sent: its answer may be that of the first one.
      row.tries = Math.min(row.tries, 1);
    });
}

/** Rows in these states that wait until a given time. */
export const findWaiting = (db: AccountDb, states: OpState[]) =>
  db.outbox.where('[state+notBefore]').inAnyRange(
    states.map((state) => [
      [state, 0],
      [state, Infinity],
    ]),
    { includeLowers: false },
  );

/** Renews the lease until the returned function is called. */
async function beat(db: AccountDb, { clock }: Pick<Ports, 'clock'>, holder: string): Promise<() => void> {
  let stopped = false;
  let cancel = () => {};
  const write = async () => {
    if (!stopped) await db.meta.put({ k: 'lease', holder, beat: clock.now() });
  };
  const next = () => {
    cancel = clock.after(LEASE_BEAT_MS, () => {
      // At worst, another tab takes over.
      void write().then(next, () => undefined);
    });
  };
  await write();
  next();
  return () => {
    stopped = true;
    cancel();
  };
}
