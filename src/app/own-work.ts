import { useSyncExternalStore } from 'react';
import type { OwnWork } from '#db/own-work.ts';
import { readLocal } from '#ui/read-local.ts';

/** Which side of an audition the person is on: it stands second in the bar of a computer, and on Home. Remembered, so that both have it at once. */

const KEY = 'own-work';

const watchers = new Set<() => void>();

let known = readLocal(KEY);

export function rememberOwnWork(work: OwnWork | null): void {
  const next = work ?? '';
  if (next === known) return;
  known = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked.
  }
  for (const watcher of watchers) watcher();
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** What was remembered last; null if nothing. */
export function useOwnWork(): OwnWork | null {
  const work = useSyncExternalStore(subscribe, () => known);
  return work === 'auditions' || work === 'casting' ? work : null;
}
