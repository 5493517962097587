import { describe, expect, it } from 'vitest';
import { shownState } from '#lib/state-timing.ts';

describe('state pill', () => {
  it('says nothing of what was saved when the page opened', () => {
    expect(shownState('saved', null)).toEqual({ now: null });
  });

  it('says Saved for 2 seconds once something unsaved is saved', () => {
    expect(shownState('saved', 'phone')).toEqual({ now: 'saved', next: { state: null, afterMs: 2000 } });
    expect(shownState('saved', 'sending').now).toBe('saved');
  });

  it('says Sending only after 400 ms and keeps the word before it meanwhile', () => {
    expect(shownState('sending', 'phone')).toEqual({ now: 'phone', next: { state: 'sending', afterMs: 400 } });
    expect(shownState('sending', 'needs').now).toBe('needs');
  });

  it('shows at once what needs the person', () => {
    expect(shownState('needs', 'sending')).toEqual({ now: 'needs' });
  });
});
