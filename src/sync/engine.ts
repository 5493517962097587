import type { AccountDb } from '#db/database.ts';
import { createActions } from './actions.ts';
import { type EngineEvent, watchJournal } from './engine-events.ts';
import type { EnginePorts } from './engine-ports.ts';
import { createInbox } from './inbox.ts';
import { createPullLoop } from './pull-loop.ts';
import { createScheduler } from './scheduler.ts';
import { countSignIns } from './send/rate-limit.ts';
import { createWriter } from './write-once.ts';

export type Engine = ReturnType<typeof createEngine>;

/**
 * The engine of one account over its store: saves at once, sends when it can. Any number may run over one store; the
 * lock saves work, keys and transactions keep it right. See src/sync/README.md.
 */
export function createEngine(db: AccountDb, ports: EnginePorts) {
  const writer = createWriter(db, ports, () => scheduler.wake('enqueue'));
  const pulls = createPullLoop(db, ports, writer.save);
  const scheduler = createScheduler(db, ports, pulls, writer.save);

  return {
    db,
    ...createActions(db, ports, writer),
    ...createInbox(db, ports.clock, pulls, writer.save),

    /** Starts sending and pulling. */
    start: scheduler.start,
    /** Ends in order: what is on its way is answered first. */
    stop: scheduler.stop,
    /** Something happened that may let the queue move. */
    wake: scheduler.wake,
    /** Ends every wait, then sends everything that is due. */
    tryNow: scheduler.tryNow,
    /** Sends what is due now, for at most `budgetMs`. */
    drain: scheduler.drain,
    /** Brings the mirror up to the server. */
    pull: pulls.pull,
    /** The token is good again: the pause ends. */
    async signedIn(): Promise<void> {
      await writer.save(() =>
        db.transaction('rw', db.meta, async () => {
          await db.meta.delete('auth-paused');
          await db.meta.put({ k: 'sign-ins', count: (await countSignIns(db)) + 1 });
        }),
      );
      scheduler.wake('signed in');
    },
    /** Calls back for every row that moves from now on, in any context. The function it returns ends that. */
    on: (listener: (event: EngineEvent) => void): (() => void) => watchJournal(db, listener),
  };
}
