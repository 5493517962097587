/** Where a change is. The same words as the store's SaveState. */
export type PillState = 'saved' | 'phone' | 'sending' | 'needs';

export const SENDING_DELAY_MS = 400;
export const SAVED_DURATION_MS = 2000;

/** What the pill shows and, where time alone changes it, what it shows next and when. */
export interface DisplayedState {
  now: PillState | null;
  next?: { state: PillState | null; afterMs: number };
}

/**
 * A quick send never flickers: 'Sending' appears after 400 ms. 'Saved' is said for 2 s after something was unsaved,
 * and not at all for what was saved when the page opened.
 */
export function getDisplayedState(state: PillState, before: PillState | null): DisplayedState {
  switch (state) {
    case 'needs':
    case 'phone':
      return { now: state };
    case 'sending':
      return {
        now: before === 'sending' || before === 'needs' ? before : 'phone',
        next: { state: 'sending', afterMs: SENDING_DELAY_MS },
      };
    case 'saved':
      return before === null || before === 'saved'
        ? { now: null }
        : { now: 'saved', next: { state: null, afterMs: SAVED_DURATION_MS } };
  }
}
