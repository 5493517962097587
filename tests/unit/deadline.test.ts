import { describe, expect, it } from 'vitest';
import { fromLocalInput, momentText, spanText, timeLeftText, toLocalInput, zoneText } from '#lib/deadline.ts';

const MUMBAI = 'Asia/Kolkata';
const at = (text: string) => Date.parse(text);
const NOW = at('2026-11-19T08:10:00Z');

describe('the text of a moment', () => {
  it.each([
    ['2026-11-19T12:30:00Z', 'Today, 18:00'],
    ['2026-11-19T18:30:00Z', 'Tomorrow, 0:00'],
    ['2026-11-18T18:29:00Z', 'Yesterday, 23:59'],
    ['2026-11-21T18:00:00Z', 'Sat 21 Nov, 23:30'],
    ['2027-01-04T06:31:00Z', 'Mon 4 Jan 2027, 12:01'],
  ])('%s is “%s” in Mumbai', (moment, text) => {
    expect(momentText(at(moment), NOW, MUMBAI)).toBe(text);
  });

  it('is another one in another zone', () => {
    expect(momentText(at('2026-11-19T12:30:00Z'), NOW, 'Europe/London')).toBe('Today, 12:30');
    expect(zoneText('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
  });
});

describe('the time that is left', () => {
  it.each([
    [59_000, '0 min'],
    [12 * 60_000, '12 min'],
    [(4 * 60 + 20) * 60_000, '4 h 20 min'],
    [3 * 3_600_000, '3 h'],
    [30.9 * 3_600_000, '30 h'],
    [48 * 3_600_000, '2 days'],
    [71 * 3_600_000, '2 days'],
  ])('%d ms is “%s”', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  it('says what has passed', () => {
    expect(timeLeftText(NOW + 3_600_000, NOW)).toBe('1 h left');
    expect(timeLeftText(NOW - 3_600_000, NOW)).toBe('Passed 1 h ago');
  });
});

describe('an input of day and time', () => {
  it('means a time in the zone of the project', () => {
    expect(fromLocalInput('2026-11-19T18:00', MUMBAI)).toBe(at('2026-11-19T12:30:00Z'));
    expect(toLocalInput(at('2026-11-19T12:30:00Z'), MUMBAI)).toBe('2026-11-19T18:00');
  });

  it('takes a time that the change of clocks leaves out as the next one', () => {
    expect(fromLocalInput('2026-03-08T02:30', 'America/Los_Angeles')).toBe(at('2026-03-08T10:30:00Z'));
  });

  it.each(['', '2026-11-19', '18:00', '2026-13-40T99:99', 'tomorrow'])('“%s” is none', (text) => {
    expect(fromLocalInput(text, MUMBAI)).toBeNull();
  });
});
