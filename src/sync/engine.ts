import type { AccountDb } from '#db/database.ts';
import { type Actions, createActions } from './actions.ts';
import { type EngineEvent, watchJournal } from './engine-events.ts';
import type { EnginePorts } from './engine-ports.ts';
import { createInbox } from './inbox.ts';
import { createPullLoop } from './pull-loop.ts';
import { createScheduler } from './scheduler.ts';
import { countSignIns } from './send/rate-limit.ts';
import { createWriter } from './write-once.ts';

export type Engine = ReturnType<typeof createEngine>;

/**
 * The sync engine of one account. It stores changes at once and sends them when it can. Several engines may share one
 * store. With the full API, idempotency keys and transactions guarantee correctness and the lock only saves work; a
 * basic API also needs the lock. See src/sync/README.md.
 */
export function createEngine(db: AccountDb, ports: EnginePorts) {
  const writer = createWriter(db, ports, () => scheduler.wake('enqueue'));
  const pulls = createPullLoop(db, ports, writer.save);
  const scheduler = createScheduler(db, ports, pulls, writer.save);

  return {
    db,
    ...createActions(db, ports, writer),
    /**
     * The actions of a form that is saved. Each removes the form's draft as it is stored: a page that ends in between does
     * not offer again what is already saved.
     */
    endingDraft: (key: string): Promise<Actions> => Promise.resolve(createActions(db, ports, writer.endingDraft(key))),
    ...createInbox(db, ports.clock, pulls, writer.save),

    /** Starts sending and pulling. */
    start: scheduler.start,
    /** Stops after the requests in flight have been answered. */
    stop: scheduler.stop,
    /** Runs the queue because of an event that may let it proceed. */
    wake: scheduler.wake,
    /** Ends all back-off delays, also of changes that need attention but are retried, then sends everything that is due. */
    tryNow: scheduler.tryNow,
    /** Sends the rows that are due now, for at most `budgetMs`. */
    drain: scheduler.drain,
    /** Updates the mirror from the server. */
    pull: pulls.pull,
    /** Resumes sending after a sign-in. */
    async signedIn(): Promise<void> {
      await writer.save(() =>
        db.transaction('rw', db.meta, async () => {
          await db.meta.delete('auth-paused');
          await db.meta.put({ k: 'sign-ins', count: (await countSignIns(db)) + 1 });
        }),
      );
      scheduler.wake('signed in');
    },
    /**
     * Calls `listener` for every later state change of a row, in any tab or worker. Returns a function that
     * unsubscribes.
     */
    on: (listener: (event: EngineEvent) => void): (() => void) => watchJournal(db, listener),
  };
}
