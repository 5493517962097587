import { useSyncExternalStore } from 'react';
import { createSlot } from './slot.ts';

const spoken = createSlot<{ text: string; n: number }>({ text: '', n: 0 });

/** Announces one sentence to screen readers, politely. The newest one wins; a repeated sentence is announced again. */
export function announce(text: string): void {
  spoken.set({ text, n: spoken.get().n + 1 });
}

/** The one live region of the app. */
export function LiveRegion() {
  const { text, n } = useSyncExternalStore(spoken.subscribe, spoken.get);
  // Screen readers speak only changed text, so a repeated sentence gets an invisible difference.
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {n % 2 === 0 ? text : `${text}\u00a0`}
    </div>
  );
}
