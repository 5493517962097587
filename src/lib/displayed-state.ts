/** The sync state of a change, with the same values as the store's SaveState. */
export type PillState = 'saved' | 'phone' | 'sending' | 'needs';

export const SENDING_DELAY_MS = 400;
export const SAVED_DURATION_MS = 2000;

/** What the pill shows now and, if that changes after some time, what it shows next and when. */
export interface DisplayedState {
  now: PillState | null;
  next?: { state: PillState | null; afterMs: number };
}

/**
 * Returns what the pill shows. 'Sending' appears only after 400 ms, so that a quick send does not flicker. 'Saved'
 * appears for 2 s after a change was saved, and never for what was already saved when the page opened.
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
