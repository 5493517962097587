import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlaced, isPosition, planPlace, POSITION_CHARS, positionBetween } from '#contract/casting/position.ts';

const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const place = fc.string({ unit: fc.constantFrom(...digits), minLength: 1, maxLength: 12 }).filter(isPosition);

interface Card {
  id: string;
  position: string;
}

/** Drags a card to an index, as a screen does. */
function drag(cards: readonly Card[], id: string, index: number): Card[] {
  const others = cards.filter((card) => card.id !== id);
  const places = new Map(planPlace(others, id, index).map((card) => [card.id, card.position]));
  return [...others, { id, position: '' }]
    .map((card) => ({ id: card.id, position: places.get(card.id) ?? card.position }))
    .sort(comparePlaced);
}

describe('a place between two others', () => {
  it('lies between them, whatever they are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(place, { minLength: 2, maxLength: 2 }), (pair) => {
        const [low, high] = pair.sort() as [string, string];
        const between = positionBetween(low, high);
        expect([low < between, between < high, isPosition(between)]).toEqual([true, true, true]);
      }),
    );
  });

  it('lies before the first and after the last', () => {
    fc.assert(
      fc.property(place, (any) => {
        expect(positionBetween(null, any) < any && isPosition(positionBetween(null, any))).toBe(true);
        expect(positionBetween(any, null) > any && isPosition(positionBetween(any, null))).toBe(true);
      }),
    );
  });

  it('stays short when cards are added at an end one by one', () => {
    let [first, last] = [positionBetween(null, null), positionBetween(null, null)];
    for (let n = 0; n < 300; n += 1) [first, last] = [positionBetween(null, first), positionBetween(last, null)];
    expect(Math.max(first.length, last.length)).toBeLessThanOrEqual(8);
  });
});

describe('dragging cards', () => {
  const drags = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 60 });

  it('always gives the order that the person sees, also among cards that share a place', () => {
    const places = fc.array(fc.constantFrom('V', 'V', 'V1', 'k', 'z'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(places, drags, (start, moves) => {
        let cards: Card[] = start.map((position, n) => ({ id: `c${n}`, position })).sort(comparePlaced);
        for (const [which, to] of moves) {
          const moved = cards[which % cards.length]!;
          const wanted = cards.filter((card) => card !== moved);
          wanted.splice(to % cards.length, 0, moved);
          cards = drag(cards, moved.id, to % cards.length);
          expect(cards.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
          expect(cards.every(({ position }) => isPosition(position))).toBe(true);
        }
      }),
    );
  });

  it('moves one card alone while no others share a place', () => {
    fc.assert(
      fc.property(fc.uniqueArray(place, { minLength: 1, maxLength: 12 }), fc.nat(12), (places, index) => {
        const others = places.map((position, n) => ({ id: `c${n}`, position })).sort(comparePlaced);
        expect(planPlace(others, 'moved', index % (places.length + 1)).map(({ id }) => id)).toEqual(['moved']);
      }),
    );
  });

  it('numbers a column anew before a place gets too long', () => {
    const others = [
      { id: 'a', position: 'V' },
      { id: 'b', position: `V${'0'.repeat(POSITION_CHARS - 2)}1` },
      { id: 'c', position: 'k' },
    ];
    expect(planPlace(others, 'new', 1).map(({ id }) => id)).toEqual(['a', 'new', 'b', 'c']);
    expect(drag(others, 'new', 1).map(({ id }) => id)).toEqual(['a', 'new', 'b', 'c']);
  });

  it('numbers a column anew that holds something that is no place', () => {
    expect(
      drag(
        [
          { id: 'a', position: '' },
          { id: 'b', position: '0' },
        ],
        'c',
        1,
      ).map(({ id }) => id),
    ).toEqual(['a', 'c', 'b']);
  });
});
