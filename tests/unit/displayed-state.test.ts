import { describe, expect, it } from 'vitest';
import { getDisplayedState } from '#lib/displayed-state.ts';

describe('state pill', () => {
  it('says nothing of what was saved when the page opened', () => {
    expect(getDisplayedState('saved', null)).toEqual({ now: null });
  });

  it('says Saved for 2 seconds once something unsaved is saved', () => {
    expect(getDisplayedState('saved', 'phone')).toEqual({ now: 'saved', next: { state: null, afterMs: 2000 } });
    expect(getDisplayedState('saved', 'sending').now).toBe('saved');
  });

  it('says Sending only after 400 ms and keeps the word before it meanwhile', () => {
    expect(getDisplayedState('sending', 'phone')).toEqual({ now: 'phone', next: { state: 'sending', afterMs: 400 } });
    expect(getDisplayedState('sending', 'needs').now).toBe('needs');
  });

  it('shows at once what needs the person', () => {
    expect(getDisplayedState('needs', 'sending')).toEqual({ now: 'needs' });
  });
});
