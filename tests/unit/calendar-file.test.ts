import { describe, expect, it } from 'vitest';
import { calendarFile } from '#lib/calendar-file.ts';

const deadline = {
  id: 'audition-7@callboard.example',
  title: 'Tape due: Naseem, The Salt Road',
  text: 'Farah Irani Casting\nScene 14; plain wall \\ landscape',
  at: Date.parse('2026-11-19T12:30:00Z'),
  url: 'https://callboard.example/auditions/7',
  writtenAt: Date.parse('2026-11-17T09:00:00Z'),
};

const linesOf = (file: string) => file.split('\r\n');
/** Joins folded lines, as a calendar does. */
const unfold = (file: string) => linesOf(file.replaceAll('\r\n ', ''));

describe('the calendar file of a deadline', () => {
  it('ends at the deadline, in UTC, and reminds twice', () => {
    const lines = unfold(calendarFile(deadline));
    expect(lines).toContain('DTEND:20261119T123000Z');
    expect(lines).toContain('DTSTART:20261119T120000Z');
    expect(lines).toContain('DTSTAMP:20261117T090000Z');
    expect(lines.filter((line) => line.startsWith('TRIGGER'))).toEqual([
      'TRIGGER;RELATED=END:-P1D',
      'TRIGGER;RELATED=END:-PT2H',
    ]);
    expect(lines.at(0)).toBe('BEGIN:VCALENDAR');
    expect(lines.slice(-2)).toEqual(['END:VCALENDAR', '']);
  });

  it('escapes what a calendar would read as its own signs', () => {
    const lines = unfold(calendarFile(deadline));
    expect(lines).toContain('SUMMARY:Tape due: Naseem\\, The Salt Road');
    expect(lines).toContain('DESCRIPTION:Farah Irani Casting\\nScene 14\\; plain wall \\\\ landscape');
  });

  it('has no line of more than 75 bytes, and cuts no character', () => {
    const text = 'पहाड़ के उस पार एक नदी है 🎭 '.repeat(20);
    const file = calendarFile({ ...deadline, text });
    for (const line of linesOf(file)) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(unfold(file)).toContain(`DESCRIPTION:${text}`);
  });

  it('keeps a line break in a title from beginning a line of its own', () => {
    const file = calendarFile({ ...deadline, title: 'A\r\nATTENDEE:mailto:x@example.org' });
    expect(unfold(file).some((line) => line.startsWith('ATTENDEE'))).toBe(false);
  });
});
