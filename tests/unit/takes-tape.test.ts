import { describe, expect, test } from 'vitest';
import type { AuditionView } from '#db/casting.ts';
import { getGroup, withTapeState } from '#features/auditions/groups.ts';
import { findGivenUp } from '#features/auditions/late-replacement.ts';
import { whyNoTape } from '#shared/casting/takes-tape.ts';
import { NO_FACTS } from '#tests/support/request-facts.ts';

const DUE = Date.parse('2027-01-10T12:00:00.000Z');
const facts = { ...NO_FACTS, answers: [], deadline_at: new Date(DUE).toISOString(), role: { status: 'open' } };

/** An audition, with tapes in these states, newest first. */
const view = (given: object = {}, tapes: readonly string[] = []): AuditionView =>
  ({
    state: 'saved',
    body: { ...facts, ...given },
    tapes: tapes.map((state) => ({ state: 'saved', body: { state } })),
  }) as unknown as AuditionView;
const sent = { announced_at: '2027-01-09T12:00:00.000Z' };
const saidNo = { answered_at: sent.announced_at, answers: [{ kind: 'no_thank_you', text: null, at: '' }] };

describe('a tape that was refused', () => {
  test('counts as none: another one can be sent, also after the deadline', () => {
    expect(whyNoTape(view(sent, ['refused']), DUE + 1)).toBeNull();
    expect(whyNoTape(view(sent, ['refused', 'arrived']), DUE + 1)).toBe('This audition takes no more tapes.');
  });

  test('is for the performer to deal with, and not on its way', () => {
    const audition = view(sent, ['refused', 'refused']);
    expect([getGroup(audition), withTapeState(audition).state]).toEqual(['todo', 'needs']);
    const better = view({ ...sent, arrived_at: sent.announced_at }, ['refused', 'arrived']);
    expect([getGroup(better), withTapeState(better).state]).toEqual(['casting', 'saved']);
  });
});

test.each([
  ['is withdrawn', { withdrawn_at: sent.announced_at }, 'This request was withdrawn.'],
  ['has been cast', { role: { status: 'cast' } }, 'This role is no longer open.'],
  ['was declined', { declined_at: sent.announced_at }, 'You declined. Say yes on the page of the audition first.'],
  ['was answered with a no', saidNo, 'This audition takes no more tapes.'],
  ['takes one', {}, null],
])('an audition that %s says so', (_, given, text) => {
  expect(whyNoTape(view(given), DUE - 1)).toBe(text);
});

test('one better tape can be sent until the deadline', () => {
  expect(whyNoTape(view(sent, ['arrived']), DUE)).toBeNull();
  expect(whyNoTape(view(sent, ['arrived']), DUE + 1)).toBe('This audition takes no more tapes.');
});

describe('after the deadline', () => {
  const inTime = { state: 'announced', finished_at: new Date(DUE - 1).toISOString() };
  const late = { state: 'announced', finished_at: new Date(DUE + 3_600_000).toISOString() };
  const NOW = DUE + 7_200_000;
  const withTapes = (bodies: readonly object[], state = 'saved') =>
    ({ ...view(sent), tapes: bodies.map((body) => ({ state, body })) }) as unknown as AuditionView;

  test('another tape can be sent as long as none has arrived: the bytes of the first one may never come', () => {
    expect(whyNoTape(view(sent, ['announced']), DUE + 1)).toBeNull();
    expect(whyNoTape(view(sent, ['announced', 'arrived']), DUE + 1)).toBe('This audition takes no more tapes.');
  });

  test('it gives up one that is on its way and in time', () => {
    expect(findGivenUp(withTapes([inTime]), NOW)?.body).toBe(inTime);
    expect(findGivenUp(withTapes([{ ...inTime, state: 'refused' }, inTime]), NOW)?.body).toBe(inTime);
    expect(findGivenUp(withTapes([inTime]), DUE)).toBeUndefined();
  });

  test('it gives up nothing where the one before is late as well, or could not be sent', () => {
    expect(findGivenUp(withTapes([late, inTime]), NOW)).toBeUndefined();
    expect(findGivenUp(withTapes([inTime], 'needs'), NOW)).toBeUndefined();
    expect(findGivenUp(withTapes([{ ...inTime, state: 'refused' }]), NOW)).toBeUndefined();
    expect(findGivenUp(withTapes([]), NOW)).toBeUndefined();
  });
});

test('an audition that was answered with a no is over, and not with casting', () => {
  expect(getGroup(view({ ...sent, ...saidNo }, ['arrived']))).toBe('over');
});
