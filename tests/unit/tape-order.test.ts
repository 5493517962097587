import { describe, expect, it } from 'vitest';
import type { Grade } from '#contract/records/tapes.ts';
import { filterTapes, listFilters, sortTapes } from '#features/casting/tape-order.ts';
import type { Taped } from '#features/casting/taped.ts';

interface Given {
  grade?: Grade;
  isComing?: boolean;
  isWatched?: boolean;
  isWithdrawn?: boolean;
}

/** What the order and the filters look at. */
const tape = (name: string, { grade, isComing, isWatched, isWithdrawn }: Given = {}): Taped => {
  const at = '2026-11-26T10:00:00Z';
  const known = {
    id: name,
    serverId: name,
    body: { performer: { name }, watched_at: isWatched ? at : null, withdrawn_at: isWithdrawn ? at : null },
    tape: { body: { arrived_at: isComing ? null : '2026-11-26T09:00:00Z' } },
    mark: { grade: grade ?? null, text: '' },
    others: [],
  } satisfies DeepPartial<Taped>;
  return known as DeepPartial<Taped> as Taped;
};
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

const names = (tapes: readonly Taped[]) => tapes.map(({ id }) => id);
const many = Array.from({ length: 60 }, (_, at) => tape(`Performer ${at}`, at % 2 === 0 ? { grade: 'A' } : {}));

describe('the order of tapes', () => {
  it('from A to Z ignores case, and reads numbers as numbers', () => {
    const tapes = ['zoya', 'Arjun 10', 'Éva', 'Arjun 9', 'ليلى'].map((name) => tape(name));
    expect(names(sortTapes(tapes, 'name', ''))).toEqual(['Arjun 9', 'Arjun 10', 'Éva', 'zoya', 'ليلى']);
  });

  it('is shuffled, and the same for one viewer and day', () => {
    const today = names(sortTapes(many, 'shuffled', '7:Thu Nov 26 2026'));
    expect(names(sortTapes(many.toReversed(), 'shuffled', '7:Thu Nov 26 2026'))).toEqual(today);
    expect(today.toSorted()).toEqual(names(many).toSorted());
    for (const seed of ['7:Fri Nov 27 2026', '8:Thu Nov 26 2026']) {
      expect(names(sortTapes(many, 'shuffled', seed))).not.toEqual(today);
    }
  });

  it('keeps its order when a tape comes in or goes', () => {
    const all = names(sortTapes(many, 'shuffled', 'seed'));
    expect(names(sortTapes(many.slice(1), 'shuffled', 'seed'))).toEqual(all.filter((id) => id !== 'Performer 0'));
  });

  it('puts each tape first about as often, whatever its grade', () => {
    const days = Array.from({ length: 1200 }, (_, day) => sortTapes(many, 'shuffled', `7:${day}`)[0]!);
    const times = new Map<string, number>();
    for (const { id } of days) times.set(id, (times.get(id) ?? 0) + 1);
    const counts = [...times.values()];
    // Twenty times each on average, with a standard deviation of about 4.5.
    expect(counts).toHaveLength(60);
    expect(Math.min(...counts)).toBeGreaterThan(4);
    expect(Math.max(...counts)).toBeLessThan(40);
    const graded = days.filter(({ mark }) => mark.grade === 'A').length;
    expect(Math.abs(graded - 600)).toBeLessThan(90);
  });
});

describe('the filters of tapes', () => {
  it('do not promise a tape that was refused', () => {
    const refused = tape('Omar', { isComing: true });
    refused.tape.body.state = 'refused';
    expect(names(filterTapes([refused, tape('Nisha', { isComing: true })], 'coming'))).toEqual(['Nisha']);
  });

  it('have nobody watch a tape whose request was withdrawn', () => {
    const tapes = [tape('Omar', { isWithdrawn: true }), tape('Nisha')];
    expect(names(filterTapes(tapes, 'unwatched'))).toEqual(['Nisha']);
  });

  const tapes = [
    tape('Meera', { grade: 'A', isWatched: true }),
    tape('Zoya', { grade: 'B' }),
    tape('Devika'),
    tape('Nisha', { isComing: true }),
  ];

  it.each([
    ['all', ['Meera', 'Zoya', 'Devika', 'Nisha']],
    ['unwatched', ['Zoya', 'Devika']],
    ['A', ['Meera']],
    ['C', []],
    ['ungraded', ['Devika', 'Nisha']],
    ['coming', ['Nisha']],
  ] as const)('%s leaves %j', (filter, expected) => {
    expect(names(filterTapes(tapes, filter))).toEqual(expected);
  });

  it('are offered where they leave some, with how many', () => {
    expect(listFilters(tapes, 'all').map(({ value, count }) => [value, count])).toEqual([
      ['all', 4],
      ['unwatched', 2],
      ['A', 1],
      ['B', 1],
      ['ungraded', 2],
      ['coming', 1],
    ]);
    expect(listFilters([tape('Meera')], 'all')).toHaveLength(1);
  });

  it('keep the chosen one, so that it can be left', () => {
    expect(listFilters([tape('Meera')], 'C').map(({ value }) => value)).toEqual(['all', 'C']);
  });
});
