import type { AccountDb } from '#db/database.ts';
import type { OpState } from '#db/rows.ts';
import { getKnownServer } from '../server/connect.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Ports } from '../ports.ts';
import { Sender, type DrainResult } from './sender.ts';

const LEASE_BEAT_MS = 5000;
const LEASE_DEAD_MS = 30_000;

/**
 * One drain at a time over a store, whichever page or worker runs it. `waiting` at once when another holds the lock.
 * @param holder names this context in the lease
 * @param budgetMs how long new work may be started
 * @param onStart gets the drain under way, to stop it
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
  // A holder that stopped beating is dead or frozen. Without keys a second sender could double its work, so wait.
  const lease = await db.meta.get('lease');
  const dead = lease?.k !== 'lease' || Math.abs(ports.clock.now() - lease.beat) > LEASE_DEAD_MS;
  if (dead && (await getKnownServer(db))?.isRepeatSafe) await ports.lock.tryRun(work, { steal: true });
  return result;
}

/** What a missing network made wait is due at once: the browser or the person says that it may go through now. */
export async function endNetworkWaits(db: AccountDb): Promise<void> {
  await findWaiting(db, ['queued', 'verify'])
    .filter((row) => row.hold !== true && row.lastError?.status === 0)
    .modify({ notBefore: 0, tries: 0 });
}

/** Changes in these states that are not tried before a time. */
export const findWaiting = (db: AccountDb, states: OpState[]) =>
  db.outbox.where('[state+notBefore]').inAnyRange(
    states.map((state) => [
      [state, 0],
      [state, Infinity],
    ]),
    { includeLowers: false },
  );

/** Keeps the lease fresh until the answer is called. */
async function beat(db: AccountDb, { clock }: Pick<Ports, 'clock'>, holder: string): Promise<() => void> {
  let stopped = false;
  let cancel = () => {};
  const write = async () => {
    if (!stopped) await db.meta.put({ k: 'lease', holder, beat: clock.now() });
  };
  const next = () => {
    cancel = clock.after(LEASE_BEAT_MS, () => {
      // A beat that cannot be written only means that another tab may take over.
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
