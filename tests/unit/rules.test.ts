import { describe, expect, test } from 'vitest';
import { checkRules, getCalendar, listUnwaived, type RequestTerms } from '#contract/rules/check.ts';
import { HOLIDAYS } from '#contract/rules/holidays.ts';
import { findPack, RULE_PACKS } from '#contract/rules/index.ts';
import { plainCourtesy } from '#contract/rules/plain-courtesy.ts';
import { sagAftraTvTheatrical } from '#contract/rules/sag-aftra-tv-theatrical.ts';
import { countWorkingHours, fromWallTime, toWallTime } from '#contract/rules/working-time.ts';

const HOUR_MS = 3_600_000;
const LA = { timeZone: 'America/Los_Angeles', region: 'US' };
const NEW_YORK = { timeZone: 'America/New_York', region: 'US' };
const KOLKATA = { timeZone: 'Asia/Kolkata', region: 'IN' };
const LONDON = { timeZone: 'Europe/London', region: 'GB-ENG' };
/** No list of holidays is known for these two, and their weekends differ. */
const CAIRO_AS_ABROAD = { timeZone: 'Africa/Cairo', region: null };
const CAIRO = { timeZone: 'Africa/Cairo', region: 'EG' };

/** '2026-03-02 10:00' on a clock there. */
const at = (timeZone: string, wall: string): number => fromWallTime(timeZone, Date.parse(`${wall.replace(' ', 'T')}Z`));
const wallText = (timeZone: string, ms: number): string =>
  new Date(toWallTime(timeZone, ms)).toISOString().slice(0, 16).replace('T', ' ');

const TERMS: Omit<RequestTerms, 'askedAt' | 'deadlineAt' | 'timeZone' | 'region'> = {
  extraHolidays: [],
  isMinor: false,
  round: 'first',
  pages: 5,
  instructions: 'Two takes, please. Read from the page.',
  sidesTexts: [],
  maxHeight: null,
  memorize: false,
  liveOption: 'We also hold auditions in our office on Friday.',
  notices: { nudity: 'none', intimacy: 'none', stunts: 'none' },
};

type Place = Pick<RequestTerms, 'timeZone' | 'region'>;
const asking = (place: Place, asked: string, deadline: string, more: Partial<RequestTerms> = {}): RequestTerms => ({
  ...TERMS,
  ...place,
  askedAt: at(place.timeZone, asked),
  deadlineAt: at(place.timeZone, deadline),
  ...more,
});

describe('the notice', () => {
  const minor = { isMinor: true };
  const off = (...extraHolidays: string[]) => ({ extraHolidays });
  // Counted by hand, with a calendar on the table. Hours are those that count.
  const cases: [
    string,
    Place,
    asked: string,
    deadline: string,
    hours: number,
    earliest: string | null,
    Partial<RequestTerms>?,
  ][] = [
    ['two working days', LA, '2026-03-02 10:00', '2026-03-04 10:00', 48, null],
    ['a minute less', LA, '2026-03-02 10:00', '2026-03-04 09:59', 47 + 59 / 60, '2026-03-04 10:00'],
    ['over a weekend on which clocks go forward', LA, '2026-03-06 17:00', '2026-03-09 17:00', 24, '2026-03-10 17:00'],
    ['a day longer', LA, '2026-03-06 17:00', '2026-03-10 17:00', 48, null],
    ['asked on a Saturday', LA, '2026-03-07 12:00', '2026-03-11 00:00', 48, null],
    ['asked on a Sunday', LA, '2026-03-08 23:00', '2026-03-10 23:59', 47 + 59 / 60, '2026-03-11 00:00'],
    ['over a weekend on which clocks go back', LA, '2026-10-30 12:00', '2026-11-03 12:00', 48, null],
    ['over an observed holiday', LA, '2026-07-02 12:00', '2026-07-06 12:00', 24, '2026-07-07 12:00'],
    ['from before Thanksgiving', LA, '2026-11-24 12:00', '2026-11-30 12:00', 48, null],
    ['from the eve of Thanksgiving', LA, '2026-11-25 09:00', '2026-11-30 09:00', 24, '2026-12-01 09:00'],
    ['over Christmas', NEW_YORK, '2026-12-23 10:00', '2026-12-28 10:00', 48, null],
    ['over New Year', NEW_YORK, '2026-12-31 10:00', '2027-01-05 10:00', 48, null],
    ['over New Year, a day too short', NEW_YORK, '2026-12-31 10:00', '2027-01-04 10:00', 24, '2027-01-05 10:00'],
    ['over Juneteenth', LA, '2026-06-18 10:00', '2026-06-22 10:00', 24, '2026-06-23 10:00'],
    ['where clocks never change', KOLKATA, '2026-03-02 18:00', '2026-03-04 18:00', 48, null],
    ['over Gandhi’s birthday', KOLKATA, '2026-10-01 12:00', '2026-10-05 12:00', 24, '2026-10-06 12:00'],
    ['over a holiday on a Saturday', KOLKATA, '2026-08-13 10:00', '2026-08-17 10:00', 48, null],
    ['over Easter', LONDON, '2026-04-02 12:00', '2026-04-07 12:00', 24, '2026-04-08 12:00'],
    ['over a substitute holiday', LONDON, '2026-12-24 12:00', '2026-12-29 12:00', 24, '2026-12-30 12:00'],
    ['with a Friday of 23 hours', CAIRO_AS_ABROAD, '2026-04-23 12:00', '2026-04-27 12:00', 47, '2026-04-27 13:00'],
    ['where Friday is free', CAIRO, '2026-04-22 12:00', '2026-04-26 12:00', 48, null],
    [
      'over a day off of the project',
      LA,
      '2026-03-02 10:00',
      '2026-03-04 10:00',
      24,
      '2026-03-05 10:00',
      off('2026-03-03'),
    ],
    [
      'over a part of one',
      LA,
      '2026-03-02 10:00',
      '2026-03-05 09:59',
      47 + 59 / 60,
      '2026-03-05 10:00',
      off('2026-03-04'),
    ],
    ['over one on a Saturday', LA, '2026-03-06 17:00', '2026-03-10 17:00', 48, null, off('2026-03-07')],
    [
      'over one that is a holiday already',
      KOLKATA,
      '2026-10-01 12:00',
      '2026-10-06 12:00',
      48,
      null,
      off('2026-10-02'),
    ],
    [
      'over the days of a festival',
      KOLKATA,
      '2026-11-06 12:00',
      '2026-11-12 12:00',
      48,
      null,
      off('2026-11-09', '2026-11-10'),
    ],
    [
      'over one that begins earlier in UTC',
      KOLKATA,
      '2026-11-05 00:00',
      '2026-11-07 00:00',
      24,
      '2026-11-10 00:00',
      off('2026-11-05'),
    ],
    [
      'over days off beside a bank holiday',
      LONDON,
      '2026-12-24 12:00',
      '2026-12-30 12:00',
      24,
      '2026-12-31 12:00',
      off('2026-12-29'),
    ],
    [
      'for a minor over a day off',
      LA,
      '2026-03-02 10:00',
      '2026-03-05 10:00',
      48,
      '2026-03-06 10:00',
      { ...minor, ...off('2026-03-04') },
    ],
    ['for a minor', LA, '2026-03-04 15:00', '2026-03-09 15:00', 72, null, minor],
    ['for a minor, as for an adult', LA, '2026-03-04 15:00', '2026-03-06 15:00', 48, '2026-03-09 15:00', minor],
    ['for a minor over a bank holiday', LONDON, '2026-05-22 12:00', '2026-05-28 12:00', 72, null, minor],
    ['that waited offline', LA, '2026-03-03 08:00', '2026-03-04 10:00', 26, '2026-03-05 08:00'],
    [
      'with a day off of the project',
      LA,
      '2026-03-02 10:00',
      '2026-03-04 10:00',
      24,
      '2026-03-05 10:00',
      {
        extraHolidays: ['2026-03-03'],
      },
    ],
    ['with a deadline before the question', LA, '2026-03-04 10:00', '2026-03-02 10:00', 0, '2026-03-06 10:00'],
    ['asked at midnight before a working day', LA, '2026-03-09 00:00', '2026-03-11 00:00', 48, null],
    ['asked at midnight before a weekend', LA, '2026-03-07 00:00', '2026-03-10 23:00', 47, '2026-03-11 00:00'],
    [
      'half an hour off',
      { timeZone: 'Asia/Kathmandu', region: null },
      '2026-03-02 10:15',
      '2026-03-04 10:15',
      48,
      null,
    ],
    [
      'where clocks change by half an hour',
      { timeZone: 'Australia/Lord_Howe', region: null },
      '2026-10-02 12:00',
      '2026-10-06 12:00',
      48,
      null,
    ],
  ];
  test.each(cases)('%s', (_name, place, asked, deadline, hours, earliest, more = {}) => {
    const terms = asking(place, asked, deadline, more);
    const { calendar } = getCalendar(plainCourtesy, terms);
    expect(countWorkingHours(calendar, terms.askedAt, terms.deadlineAt)).toBeCloseTo(hours, 6);
    const breach = checkRules(plainCourtesy, terms).breaches.find(({ rule }) => rule === 'notice');
    const found = breach?.earliest === undefined ? null : wallText(place.timeZone, breach.earliest);
    expect(found).toBe(earliest);
  });

  test('is counted where the request says, wherever the performer is', () => {
    const terms = asking(LA, '2026-03-06 17:00', '2026-03-10 17:00');
    expect(wallText('Asia/Kolkata', terms.deadlineAt)).toBe('2026-03-11 05:30');
    expect(checkRules(plainCourtesy, terms).breaches).toEqual([]);
  });

  test('says how much there is and how much is due', () => {
    const [breach] = checkRules(plainCourtesy, asking(LA, '2026-03-02 10:00', '2026-03-04 09:59')).breaches;
    expect(breach?.text).toBe('47 hours to tape. 48 hours are due, not counting weekends and holidays.');
    const [one] = checkRules(
      plainCourtesy,
      asking(LA, '2026-03-02 10:00', '2026-03-02 11:30', { isMinor: true }),
    ).breaches;
    expect(one?.text).toBe('1 hour to tape. With minors, 72 hours are due, not counting weekends and holidays.');
    expect([breach?.for_minors, one?.for_minors]).toEqual([undefined, true]);
  });

  test('says where holidays are unknown, and counts weekends only', () => {
    const bavaria = { timeZone: 'Europe/Berlin', region: 'DE-BY' };
    const { breaches, doubts } = checkRules(plainCourtesy, asking(bavaria, '2026-03-02 10:00', '2026-03-04 10:00'));
    expect(breaches).toEqual([]);
    expect(doubts).toEqual([{ rule: 'notice', text: expect.stringContaining('holidays of DE-BY') as string }]);
    const late = checkRules(plainCourtesy, asking(LA, '2029-01-01 10:00', '2029-01-03 10:00'));
    expect(late.breaches).toEqual([]);
    expect(late.doubts[0]?.text).toContain('after 2028-12-31');
  });
});

describe('a time on the wall', () => {
  test.each([
    ['that is skipped counts from before the change', 'America/Los_Angeles', '2026-03-08 02:30', '2026-03-08 03:30'],
    ['that comes twice is the first', 'America/Los_Angeles', '2026-11-01 01:30', '2026-11-01 01:30'],
    ['of a day that was left out is on the next', 'Pacific/Apia', '2011-12-30 12:00', '2011-12-31 12:00'],
    ['at a midnight that is skipped is an hour later', 'Africa/Cairo', '2026-04-24 00:00', '2026-04-24 01:00'],
  ])('%s', (_name, timeZone, wall, shown) => {
    expect(wallText(timeZone, at(timeZone, wall))).toBe(shown);
  });

  test('that comes twice is read before the change', () => {
    expect(new Date(at('America/Los_Angeles', '2026-11-01 01:30')).toISOString()).toBe('2026-11-01T08:30:00.000Z');
  });

  test.each([
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
    'Africa/Casablanca',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Europe/Dublin',
    'America/Sao_Paulo',
    'Pacific/Chatham',
  ])('is read back in %s at every hour of two years', (timeZone) => {
    const start = Date.parse('2026-01-01T00:20:00Z');
    let last = -Infinity;
    for (let hour = 0; hour < 2 * 365 * 24; hour += 1) {
      const moment = start + hour * HOUR_MS;
      const read = fromWallTime(timeZone, toWallTime(timeZone, moment));
      // An hour that comes twice is read as its first.
      if (read !== moment) expect(moment - read).toBeOneOf([HOUR_MS, HOUR_MS / 2]);
      expect(read).toBeGreaterThanOrEqual(last);
      last = Math.max(last, read);
    }
  });
});

describe('the other rules', () => {
  const terms = (more: Partial<RequestTerms>) => asking(LA, '2026-03-02 10:00', '2026-03-05 10:00', more);
  const broken = (more: Partial<RequestTerms>, pack = plainCourtesy) =>
    checkRules(pack, terms(more)).breaches.map(({ rule }) => rule);
  const doubted = (more: Partial<RequestTerms>) =>
    checkRules(plainCourtesy, terms(more)).doubts.map(({ rule }) => rule);

  const cases: [string, Partial<RequestTerms>, string[]][] = [
    ['8 pages first', { pages: 8 }, []],
    ['9 pages first', { pages: 9 }, ['pages']],
    ['12 pages for a callback', { pages: 12, round: 'callback' }, []],
    ['13 pages for a callback', { pages: 13, round: 'callback' }, ['pages']],
    ['no pages', { pages: 0 }, []],
    ['720 lines demanded', { maxHeight: 720 }, []],
    ['1080 lines demanded', { maxHeight: 1080 }, ['picture']],
    ['lines by heart', { memorize: true }, ['memorize']],
    ['a registration fee', { instructions: 'There is a registration fee of ₹500.' }, ['fee']],
    ['a bank transfer', { instructions: 'Confirm your slot by bank transfer.' }, ['fee']],
    ['money to be sent', { instructions: 'Please pay $20 to upload your tape.' }, ['fee']],
    ['no registration fee', { instructions: 'There is no registration fee.' }, []],
    ['pay of the role', { instructions: 'The role pays union scale.' }, []],
    ['a notice left out', { notices: { nudity: 'none', intimacy: 'none' } }, ['intimate-notice']],
    ['a notice of blanks', { notices: { ...TERMS.notices, stunts: '  ' } }, ['intimate-notice']],
    ['no notices', { notices: {} }, ['intimate-notice']],
    ['described nudity', { notices: { ...TERMS.notices, nudity: 'Seen from behind, in episode 2.' } }, []],
    ['a nude photo', { instructions: 'Attach a nude photo.' }, ['no-nude-tape']],
    ['a tape without clothes', { instructions: 'Record the second take without clothes.' }, ['no-nude-tape']],
    ['a private one', { instructions: 'Send the director a short video of you topless.' }, ['no-nude-tape']],
    ['undressing', { instructions: 'Undress slowly for the camera.' }, ['no-nude-tape']],
    ['taking clothes off', { instructions: 'At the end, take off your top.' }, ['no-nude-tape']],
    ['underwear', { instructions: 'We need two pictures of you in underwear.' }, ['no-nude-tape']],
    ['capital letters', { instructions: 'SEND NUDE PICTURES' }, ['no-nude-tape']],
    ['no nude photos', { instructions: 'Please do not send nude photos.' }, []],
    ['a nudge', { instructions: 'Don’t be shy, send nude photos.' }, ['no-nude-tape']],
    ['never nude', { instructions: 'Never record a take your take naked.' }, []],
    ['two at once', { pages: 20, memorize: true }, ['pages', 'memorize']],
  ];
  test.each(cases)('%s', (_name, more, rules) => {
    expect(broken(more)).toEqual(rules);
  });

  test.each<[string, Partial<RequestTerms>, string[]]>([
    ['a swimsuit without a notice of nudity', { instructions: 'Bring a swimsuit.' }, ['intimate-notice']],
    ['a kiss in the sides', { sidesTexts: ['They kiss.'] }, ['intimate-notice']],
    ['a fight', { instructions: 'Show us a fight move.' }, ['intimate-notice']],
    ['a kiss that is described', { sidesTexts: ['They kiss.'], notices: { ...TERMS.notices, intimacy: 'A kiss' } }, []],
    ['money in the sides', { sidesTexts: ['KIDNAPPER: Send the money today.'] }, ['fee']],
    ['nothing of the kind', {}, []],
  ])('asks about %s, and blocks nothing', (_name, more, rules) => {
    expect(doubted(more)).toEqual(rules);
    expect(broken(more)).toEqual([]);
  });

  test('of the union want a way to audition live', () => {
    expect(broken({ liveOption: null }, sagAftraTvTheatrical)).toEqual(['live']);
    expect(broken({ liveOption: ' ' }, sagAftraTvTheatrical)).toEqual(['live']);
    expect(broken({}, sagAftraTvTheatrical)).toEqual([]);
    expect(broken({ liveOption: null })).toEqual([]);
  });
});

describe('a waiver', () => {
  const { breaches } = checkRules(
    plainCourtesy,
    asking(LA, '2026-03-02 10:00', '2026-03-03 10:00', { pages: 13, instructions: 'There is a booking fee.' }),
  );
  const unwaived = (...waivers: [rule: string, text: string][]) =>
    listUnwaived(
      plainCourtesy,
      breaches,
      waivers.map(([rule, text]) => ({ rule, text })),
    ).map(({ rule }) => rule);

  test.each<[string, [string, string][], string[]]>([
    ['none', [], ['notice', 'pages', 'fee']],
    ['one for one of two', [['pages', 'The scene is one long dialogue.']], ['notice', 'fee']],
    ['of nine characters', [['pages', 'Long text']], ['notice', 'pages', 'fee']],
    ['of ten', [['pages', 'Long texts']], ['notice', 'fee']],
    ['of blanks', [['pages', '            ']], ['notice', 'pages', 'fee']],
    ['of 501 characters', [['pages', 'x'.repeat(501)]], ['notice', 'pages', 'fee']],
    ['of a rule that is never waived', [['fee', 'Our costs are high.']], ['notice', 'pages', 'fee']],
    ['of another rule', [['memorize', 'Everybody knows it.']], ['notice', 'pages', 'fee']],
    ['of an unknown rule', [['taste', 'Everybody likes it.']], ['notice', 'pages', 'fee']],
  ])('%s', (_name, waivers, left) => {
    expect(unwaived(...waivers)).toEqual(left);
  });
});

describe('the packs', () => {
  test('are found by their id, and begin with plain courtesy', () => {
    expect(RULE_PACKS[0]).toBe(plainCourtesy);
    expect(findPack('sag-aftra-tv-theatrical')).toBe(sagAftraTvTheatrical);
    expect(findPack('toString')).toBeNull();
  });

  test.each(RULE_PACKS.map((pack) => [pack.name, pack] as const))(
    '%s names each rule once, and its sources',
    (_, pack) => {
      const ids = pack.rules.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(pack.sources.length).toBeGreaterThan(0);
      expect(pack.checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    },
  );

  test.each(Object.entries(HOLIDAYS))('%s lists days that exist, in order, until its end', (_, { days, until }) => {
    for (const day of days) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
    expect([...days].sort()).toEqual(days);
    expect(days.at(-1)! <= until).toBe(true);
  });

  test('know the moving holidays', () => {
    const weekdayOf = (day: string) => new Date(day).getUTCDay();
    const us = HOLIDAYS.US.days.filter((day) => /-(01-1|01-2|02-|05-|09-|10-)/.test(day) && !day.endsWith('-01'));
    for (const day of us) expect([day, weekdayOf(day)]).toEqual([day, 1]);
    for (const day of HOLIDAYS['GB-ENG'].days.filter((each) => /-(05|08)-/.test(each))) expect(weekdayOf(day)).toBe(1);
    // Observed holidays fall on working days.
    for (const day of [...HOLIDAYS.US.days, ...HOLIDAYS['GB-ENG'].days])
      expect([day, [0, 6].includes(weekdayOf(day))]).toEqual([day, false]);
  });
});
