import type { DBCore } from 'dexie';
import type { AccountDb } from '#db/database.ts';

/**
 * Aborts what runs in the store when the page goes into the back/forward cache. WebKit freezes such a page with its
 * transactions under way, and until they end no other page reads or writes the same data. A page that comes back repeats
 * them, as after any lost connection. Call it before the store is opened.
 */
export function freeStoreWhenLeft(db: AccountDb, signal: AbortSignal): void {
  const running = new Set<IDBTransaction>();
  db.use({
    stack: 'dbcore',
    name: 'running',
    create: (core): DBCore => ({
      ...core,
      transaction(...given) {
        const begun = core.transaction(...given) as unknown as IDBTransaction;
        running.add(begun);
        const forget = () => running.delete(begun);
        begun.addEventListener('complete', forget);
        begun.addEventListener('abort', forget);
        return begun as unknown as ReturnType<DBCore['transaction']>;
      },
    }),
  });
  const free = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    for (const each of running) {
      try {
        each.abort();
      } catch (error) {
        // It has ended, and its event has not come yet.
        if ((error as DOMException).name !== 'InvalidStateError') throw error;
      }
    }
  };
  addEventListener('pagehide', free, { signal });
}
