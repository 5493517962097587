import type { AccountDb } from '#db/database.ts';

type Watcher = (db: AccountDb) => void;

const watchers = new Set<Watcher>();

/** Calls a function with the account's store after somebody was blocked on this page. */
export function whenBlocked(watcher: Watcher): void {
  watchers.add(watcher);
}

export function tellBlocked(db: AccountDb): void {
  for (const watcher of watchers) watcher(db);
}
