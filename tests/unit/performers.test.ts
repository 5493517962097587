import { describe, expect, it } from 'vitest';
import type { RequestView } from '#db/casting-role.ts';
import type { PerformerCard } from '#db/casting.ts';
import { getPerformersProblem, wasAsked } from '#features/casting/performer.ts';

const card = (profile_id: string, user_id?: string, name = 'Asha Rane'): PerformerCard => ({
  profile_id,
  user_id,
  name,
  title: null,
  profile_photo: null,
});
const request = (body: object) =>
  ({ body: { round: 'first', withdrawn_at: null, performer: null, ...body } }) as RequestView;

describe('who was asked', () => {
  it.each<[string, object, PerformerCard]>([
    ['by a request that the server has', { performer: card('8', '3') }, card('8')],
    ['by one that waits on this device', { card: card('8') }, card('8', '3')],
    ['by another profile', { performer: card('8', '3') }, card('9', '3')],
  ])('counts whoever was asked %s', (_, body, person) => {
    expect(wasAsked([request(body)], 'first', person)).toBe(true);
  });

  it.each<[string, object, PerformerCard]>([
    ['somebody else', { performer: card('8', '3') }, card('9', '4')],
    ['two whose accounts are not known', { card: card('8') }, card('9')],
    ['whoever was asked in another round', { performer: card('8', '3'), round: 'callback' }, card('8', '3')],
    [
      'whose request was withdrawn',
      { performer: card('8', '3'), withdrawn_at: '2026-11-21T09:00:00Z' },
      card('8', '3'),
    ],
    ['anybody by a request whose performer has left', {}, card('8', '3')],
  ])('does not count %s', (_, body, person) => {
    expect(wasAsked([request(body)], 'first', person)).toBe(false);
  });
});

describe('the performers of a request', () => {
  const problem = (...chosen: PerformerCard[]) =>
    getPerformersProblem([request({ card: card('7', '2', 'Tenzin Dolma') })], 'first', chosen);

  it('are at least one', () => {
    expect(problem()).toBe('Choose at least one performer');
    expect(problem(card('8', '3'), card('9', '4'))).toBeUndefined();
  });

  it('were not asked before', () => {
    expect(problem(card('8', '3'), card('7', '2', 'Tenzin Dolma'))).toBe(
      'Tenzin Dolma was asked already. Remove them here',
    );
  });

  it('are each there once, by whatever profile', () => {
    expect(problem(card('8', '3'), card('9', '3'))).toBe('Asha Rane is here with two profiles. Remove one of them');
  });
});
