import { describe, expect, it } from 'vitest';
import { computeFinished, type FinishClaim } from '#contract/casting/finished.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const ASKED = Date.parse('2026-11-17T09:00:00Z');
/** When the tape was finished, and announced, by a clock that is right. */
const FINISHED = Date.parse('2026-11-19T16:59:00Z');
const SENT = Date.parse('2026-11-19T18:20:00Z');

/** A device whose clock is off, and has been since it last heard from the server. @param off ms that it is ahead */
const claim = (off: number, over: Partial<FinishClaim> = {}): FinishClaim => ({
  finishedDevice: FINISHED + off,
  offset: -off,
  offsetAge: HOUR,
  sentDevice: SENT + off,
  now: SENT,
  askedAt: ASKED,
  ...over,
});

describe('when a tape was finished', () => {
  it.each([0, 3 * HOUR, -3 * HOUR, 400 * 24 * HOUR])('is right on a clock that is off by %d ms', (off) => {
    expect(computeFinished(claim(off))).toEqual({ at: FINISHED, by: 'checked' });
  });

  it('is the later of two times if the clock was turned back before recording', () => {
    const turned = claim(0, { finishedDevice: FINISHED - 2 * HOUR, sentDevice: SENT - 2 * HOUR });
    expect(computeFinished(turned)).toEqual({ at: FINISHED, by: 'phone clock' });
  });

  it('is the later of two times if the clock was turned back for the recording alone', () => {
    const turned = claim(0, { finishedDevice: FINISHED - 2 * HOUR });
    // Both ways say the same, two hours too early: this is what nobody can tell.
    expect(computeFinished(turned).by).toBe('checked');
    const jumped = claim(0, { finishedDevice: FINISHED - 2 * HOUR, sentDevice: SENT - HOUR });
    expect(computeFinished(jumped)).toEqual({ at: FINISHED - HOUR, by: 'phone clock' });
  });

  it.each<[string, Partial<FinishClaim>]>([
    ['the device has never heard from the server', { offset: null, offsetAge: null }],
    ['that was more than a day before', { offsetAge: 25 * HOUR }],
    ['the device does not say when it sends', { sentDevice: null }],
  ])('has only the word of the phone if %s', (_what, over) => {
    expect(computeFinished(claim(0, over))).toEqual({ at: FINISHED, by: 'phone clock' });
  });

  it('is now if nothing is known about the clock', () => {
    expect(computeFinished(claim(0, { offset: null, sentDevice: null }))).toEqual({ at: SENT, by: 'phone clock' });
  });

  it('is never after its arrival, and never before it was asked for', () => {
    expect(computeFinished(claim(0, { finishedDevice: SENT + 5 * HOUR })).at).toBe(SENT);
    expect(computeFinished(claim(0, { finishedDevice: ASKED - 5 * HOUR, offset: 0 })).at).toBe(ASKED);
  });

  it('allows for a request that takes a minute', () => {
    expect(computeFinished(claim(0, { now: SENT + MINUTE }))).toEqual({ at: FINISHED + MINUTE, by: 'checked' });
  });
});
