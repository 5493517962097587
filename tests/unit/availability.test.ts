import { describe, expect, test } from 'vitest';
import {
  addDays,
  type DayEdit,
  type DayState,
  type DayValue,
  getCurrent,
  getShootDates,
  isTaken,
  listDays,
  mergeDay,
  NOT_STATED,
  type StoredDay,
} from '#contract/casting/availability.ts';
import { setAvailabilityBody } from '#contract/records/availability.ts';
import { toErrorMap } from '#contract/schema.ts';
import { quantity } from '../support/quantity.ts';
import { createPrng, type Prng } from '../sync/simulation/prng.ts';

const NOW = Date.parse('2027-01-10T12:00:00Z');
const PAST = '2027-01-10T11:00:00.000Z';
const LATER = '2027-01-12T11:00:00.000Z';
const LATEST = '2027-01-14T11:00:00.000Z';

const day = (state: DayState | null, note: string | null = null, more: Partial<DayValue> = {}): DayValue => ({
  ...NOT_STATED,
  state,
  note,
  ...more,
});
const stored = (value: DayValue, other: StoredDay['other'] = null): StoredDay => ({ ...value, other });
const merge = (base: DayValue | null, mine: DayValue, theirs: StoredDay, more: Partial<DayEdit> = {}) =>
  mergeDay(theirs, { ...mine, base, ...more }, NOW);
const other = (state: DayState | null, note: string | null = null) => ({ state, note });

/** [what happens, base, mine, theirs, kept, other] */
const TABLE: [string, DayValue | null, DayValue, DayValue, DayValue, StoredDay['other']][] = [
  ['a first word is stored', null, day('free'), NOT_STATED, day('free'), null],
  ['a change of what the device knew replaces it', day('free'), day('booked'), day('free'), day('booked'), null],
  ['a weaker state replaces what the device knew', day('booked'), day('free'), day('booked'), day('free'), null],
  ['a removal of what the device knew removes it', day('held', 'Ad'), NOT_STATED, day('held', 'Ad'), NOT_STATED, null],
  ['both say the same', null, day('booked', 'Salt'), day('booked', 'Salt'), day('booked', 'Salt'), null],
  ['both remove', day('held'), NOT_STATED, NOT_STATED, NOT_STATED, null],
  ['mine is stronger', day('free'), day('booked'), day('held', 'Ad'), day('booked'), other('held', 'Ad')],
  ['theirs is stronger', day('free'), day('pencilled', 'Ad'), day('held'), day('held'), other('pencilled', 'Ad')],
  ['held against booked', null, day('held'), day('booked'), day('booked'), other('held')],
  ['pencilled against free', null, day('pencilled'), day('free'), day('pencilled'), other('free')],
  ['free against held', null, day('free'), day('held'), day('held'), other('free')],
  ['I removed, they changed', day('held'), NOT_STATED, day('booked'), day('booked'), other(null)],
  ['they removed, I changed', day('held'), day('free', 'Home'), NOT_STATED, day('free', 'Home'), other(null)],
  ['only they changed', day('held'), day('held'), day('booked'), day('booked'), null],
  ['only they removed', day('held'), day('held'), NOT_STATED, NOT_STATED, null],
  ['equal states, I alone wrote a note', day('free'), day('held', 'Ad'), day('held'), day('held', 'Ad'), null],
  ['equal states, they alone wrote a note', day('free'), day('held'), day('held', 'Ad'), day('held', 'Ad'), null],
  ['equal states, two notes', null, day('held', 'Ad'), day('held', 'Film'), day('held', 'Film'), other('held', 'Ad')],
  [
    'what had expired counts as removed by nobody',
    day('held', 'Ad', { expires_at: PAST }),
    day('booked'),
    NOT_STATED,
    day('booked'),
    null,
  ],
  [
    'what expired on the way says nothing',
    null,
    day('held', 'Ad', { expires_at: PAST }),
    day('free'),
    day('free'),
    null,
  ],
  [
    'what expired on the server gives way',
    null,
    day('free'),
    day('held', 'Ad', { expires_at: PAST }),
    day('free'),
    null,
  ],
  [
    'two ends of one state: the other stays beside it',
    day('held', 'Ad'),
    day('held', 'Ad', { expires_at: LATER }),
    day('held', 'Ad', { expires_at: LATEST }),
    day('held', 'Ad', { expires_at: LATEST }),
    { ...other('held', 'Ad'), expires_at: LATER },
  ],
  [
    'a weaker state keeps its end beside the stronger one',
    null,
    day('pencilled', 'Ad', { expires_at: LATER }),
    day('booked'),
    day('booked'),
    { ...other('pencilled', 'Ad'), expires_at: LATER },
  ],
  [
    'what has not expired is kept with its end',
    null,
    day('held', 'Ad', { expires_at: LATER }),
    NOT_STATED,
    day('held', 'Ad', { expires_at: LATER }),
    null,
  ],
];

describe('two versions of a day', () => {
  test.each(TABLE)('%s', (_what, base, mine, theirs, kept, lost) => {
    expect(merge(base, mine, stored(theirs))).toEqual({ ...kept, other: lost });
  });

  test('keep the other version until somebody has looked at it', () => {
    const marked = stored(day('booked'), other('held', 'Ad'));
    expect(merge(day('booked'), day('booked', 'Salt'), marked).other).toEqual(other('held', 'Ad'));
    expect(merge(day('booked'), day('booked'), marked, { looked: true }).other).toBeNull();
    expect(merge(day('booked'), day('held', 'Ad'), marked, { looked: true })).toEqual(stored(day('held', 'Ad')));
  });

  test('of three devices, show the one that came last of those that were not kept', () => {
    const marked = stored(day('booked'), other('held', 'Ad'));
    expect(merge(null, day('free'), marked).other).toEqual(other('free'));
  });

  test('say for which audition a day is kept, unless the device only lost that audition', () => {
    const theirs = stored(day('pencilled', 'Salt', { request_id: '7' }));
    expect(merge(null, day('pencilled', 'Salt'), theirs).request_id).toBe('7');
    expect(merge(day('pencilled', 'Salt', { request_id: '7' }), day('held', 'Salt'), theirs).request_id).toBeNull();
  });
});

const STATES = [null, 'free', 'pencilled', 'held', 'booked'] as const;
const randomDay = (prng: Prng): DayValue => {
  const state = prng.pick(STATES);
  if (state === null) return NOT_STATED;
  return day(state, prng.pick([null, 'Ad', 'Film']), { expires_at: prng.pick([null, null, LATER]) });
};
const says = (value: DayValue, { state, note }: Pick<DayValue, 'state' | 'note'>) =>
  value.state === state && value.note === note;

describe('random edits of two devices that know nothing of each other', () => {
  test('lose nothing that either of them said, whoever is first', () => {
    const prng = createPrng(7);
    for (let run = 0; run < quantity(4000, 200_000); run += 1) {
      const [base, one, two] = [randomDay(prng), randomDay(prng), randomDay(prng)];
      const inOrder = (first: DayValue, second: DayValue) => merge(base, second, merge(base, first, stored(base)));
      const [end, swapped] = [inOrder(one, two), inOrder(two, one)];
      expect(end.state, 'the same state, whoever is first').toBe(swapped.state);
      for (const said of [one, two]) {
        if (JSON.stringify(said) === JSON.stringify(base)) continue;
        const isNoteKept = says(end, said) || (end.other !== null && says(said, end.other));
        // Equal states are one version, with the details that each of them changed.
        const isMerged = end.other === null && said.state === end.state;
        expect(isNoteKept || isMerged, JSON.stringify({ base, one, two, end })).toBe(true);
      }
      if (one.state !== null && two.state !== null) expect(end.state).not.toBeNull();
    }
  });

  test('change nothing when they are sent again', () => {
    const prng = createPrng(11);
    for (let run = 0; run < quantity(2000, 50_000); run += 1) {
      const [base, mine, theirs] = [randomDay(prng), randomDay(prng), randomDay(prng)];
      const once = merge(base, mine, stored(theirs));
      const again = merge(base, mine, once);
      expect({ ...again, other: null }).toEqual({ ...once, other: null });
      if (once.other !== null) expect(again.other).not.toBeNull();
    }
  });
});

describe('what a device sends', () => {
  const parse = (days: object[]) => setAvailabilityBody.safeParse({ days });
  const errors = (days: object[]) => {
    const { success, error } = parse(days);
    return success ? {} : toErrorMap(error.issues);
  };

  test('may leave out everything but date and state', () => {
    expect(parse([{ date: '2027-01-18', state: 'free' }]).data?.days).toEqual([
      { date: '2027-01-18', ...day('free'), base: null },
    ]);
  });

  test('is refused by the field', () => {
    expect(Object.keys(errors([{ date: '2027-02-30', state: 'busy', note: 'x'.repeat(201) }]))).toEqual([
      'days.0.date',
      'days.0.state',
      'days.0.note',
    ]);
    expect(errors([{ date: '2027-01-18', state: 'booked', expires_at: LATER }])).toHaveProperty(['days.0.expires_at']);
    const twice = { date: '2027-01-18', state: 'free' };
    expect(errors([twice, twice])).toHaveProperty('days');
    expect(errors(listDays('2027-01-01', '2027-05-01').map((date) => ({ date, state: 'free' })))).toHaveProperty(
      'days',
    );
    expect(errors([])).toHaveProperty('days');
  });
});

describe('days', () => {
  test('are counted over months, leap days and changes of the clock', () => {
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
    expect(addDays('2027-03-01', -1)).toBe('2027-02-28');
    expect(listDays('2026-10-24', '2026-10-27')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
    expect(listDays('2026-10-24', '2026-10-23')).toEqual([]);
    expect(listDays('2026-10-24', '2026-10-27', 2)).toEqual(['2026-10-24', '2026-10-25']);
  });

  test('end with the year 9999, after which days do not sort as text', () => {
    expect(addDays('9999-12-31', 400)).toBe('9999-12-31');
    expect(listDays('9999-12-30', '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
  });

  test('of a shoot are those of the request, or else those of the project', () => {
    const project = { shoot_from: '2027-01-30', shoot_to: '2027-02-01' };
    expect(getShootDates({ shoot_dates: ['2027-02-02', '2027-01-20'], project })).toEqual(['2027-01-20', '2027-02-02']);
    expect(getShootDates({ shoot_dates: [], project })).toEqual(['2027-01-30', '2027-01-31', '2027-02-01']);
    expect(getShootDates({ project: { shoot_from: null, shoot_to: '2027-02-01' } })).toEqual(['2027-02-01']);
    expect(getShootDates({ project: { shoot_from: null, shoot_to: null } })).toEqual([]);
  });

  test('are taken when they are promised to something else', () => {
    expect(isTaken(day('held'), '7')).toBe(true);
    expect(isTaken(day('pencilled', null, { request_id: '7' }), '7')).toBe(false);
    expect(isTaken(day('free'), '7')).toBe(false);
    expect(isTaken(NOT_STATED, '7')).toBe(false);
  });

  test('that have expired say nothing', () => {
    expect(getCurrent(day('held', 'Ad', { expires_at: PAST }), NOW)).toEqual(NOT_STATED);
    expect(getCurrent(day('held', 'Ad', { expires_at: LATER }), NOW).state).toBe('held');
  });
});
