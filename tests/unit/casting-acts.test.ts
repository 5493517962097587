import { describe, expect, it } from 'vitest';
import { getRequestState, isDeclined, type RequestFacts } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import { findReplaced } from '#contract/casting/state.ts';
import { applyActs, applyCasting, isWaiting } from '#db/casting-acts.ts';
import type { OutboxRow } from '#db/rows.ts';
import { outboxRow } from '#tests/support/outbox-row.ts';
import { NO_FACTS } from '#tests/support/request-facts.ts';

const DAY = (day: number) => `2026-11-${day}T09:00:00.000Z`;

describe('the state of a request', () => {
  it.each<[string, Partial<RequestFacts>]>([
    ['asked', {}],
    ['seen', { seen_at: DAY(18) }],
    ['confirmed', { seen_at: DAY(18), confirmed_at: DAY(18) }],
    ['declined', { confirmed_at: DAY(18), declined_at: DAY(19) }],
    ['confirmed', { confirmed_at: DAY(20), declined_at: DAY(19) }],
    ['sent', { confirmed_at: DAY(18), announced_at: DAY(19) }],
    ['declined', { announced_at: DAY(18), declined_at: DAY(19) }],
    ['arrived', { announced_at: DAY(18), arrived_at: DAY(19) }],
    ['watched', { arrived_at: DAY(18), watched_at: DAY(19) }],
    ['answered', { declined_at: DAY(19), answered_at: DAY(20) }],
    ['withdrawn', { answered_at: DAY(20), withdrawn_at: DAY(21) }],
  ])('is %s for %j', (state, facts) => {
    expect(getRequestState({ ...NO_FACTS, ...facts })).toBe(state);
  });

  it('is not declined any more once the performer said yes after all', () => {
    expect(isDeclined({ confirmed_at: DAY(20), declined_at: DAY(19) })).toBe(false);
    expect(isDeclined({ confirmed_at: null, declined_at: DAY(19) })).toBe(true);
  });
});

const request = (facts: Partial<AuditionRequest> = {}) =>
  ({ ...NO_FACTS, id: '7', answers: [], withdraw_text: null, ...facts }) as unknown as AuditionRequest &
    Record<string, unknown>;

const AT = Date.parse(DAY(22));
const row = (act: string, fields: Record<string, unknown> = {}, over: Partial<OutboxRow> = {}): OutboxRow =>
  outboxRow({ kind: 'act', type: 'audition', createdAt: AT, patch: { act, fields, title: 'Naseem' }, ...over });

describe('what waits on this device', () => {
  it('is shown as if it were done, with the time at which the person did it', () => {
    expect(applyActs(request(), [row('confirm')])).toMatchObject({ confirmed_at: DAY(22) });
    expect(applyActs(request(), [row('decline', { text: 'Filming' })])).toMatchObject({
      declined_at: DAY(22),
      decline_text: 'Filming',
    });
    expect(applyActs(request(), [row('answer', { kind: 'callback', text: '' })]).answers).toEqual([
      { kind: 'callback', text: null, at: DAY(22) },
    ]);
  });

  it('is not shown once the server refused it', () => {
    expect(applyActs(request(), [row('confirm', {}, { state: 'attention' })]).confirmed_at).toBeNull();
  });

  it('does not move the time at which it was first seen', () => {
    expect(applyActs(request({ seen_at: DAY(18) }), [row('seen')]).seen_at).toBe(DAY(18));
  });
});

describe('a role that is cast on this device', () => {
  const cast = [row('cast', { request_ids: ['7'], cast_text: 'You!', text: 'Thank you' })];

  it('answers the chosen one and everybody who still waits', () => {
    expect(applyCasting(request(), cast).answers).toEqual([{ kind: 'cast', text: 'You!', at: DAY(22) }]);
    expect(applyCasting(request({ id: '8' }), cast).answers).toEqual([
      { kind: 'no_thank_you', text: 'Thank you', at: DAY(22) },
    ]);
  });

  it.each<[string, Partial<AuditionRequest>]>([
    ['declined', { declined_at: DAY(19) }],
    ['was withdrawn', { withdrawn_at: DAY(19) }],
    ['has a final answer', { answers: [{ kind: 'no_thank_you', text: null, at: DAY(19) }] }],
  ])('leaves alone who %s', (_what, facts) => {
    const left = request({ id: '8', ...facts });
    expect(isWaiting(left)).toBe(false);
    expect(applyCasting(left, cast)).toEqual(left);
  });

  it('leaves alone who was asked in a later round', () => {
    const first = request({ id: '8', answers: [{ kind: 'callback', text: null, at: DAY(19) }] });
    expect(findReplaced([first, request({ id: '9', previous_id: '8' })]).has('8')).toBe(true);
    expect(findReplaced([first, request({ id: '9', previous_id: '8', withdrawn_at: DAY(20) })]).has('8')).toBe(false);
    expect(applyCasting(first, cast, true)).toEqual(first);
  });

  it('answers who has only a callback so far', () => {
    const waiting = request({ id: '8', answers: [{ kind: 'callback', text: null, at: DAY(19) }] });
    expect(applyCasting(waiting, cast).answers).toHaveLength(2);
  });
});
