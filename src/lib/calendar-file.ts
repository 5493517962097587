/** What a calendar file tells of one deadline. Times are in milliseconds since 1970. */
export interface Deadline {
  /** Unique and the same for each file of this deadline, so that a calendar updates its entry. */
  id: string;
  title: string;
  text: string;
  at: number;
  url: string;
  writtenAt: number;
}

const MAX_LINE_BYTES = 75;
const encoder = new TextEncoder();

/** Calendars read backslash, comma, semicolon and line breaks as their own signs (RFC 5545, 3.3.11). */
const escaped = (text: string): string => text.replace(/[\\,;]/g, (sign) => `\\${sign}`).replace(/\r\n|\r|\n/g, '\\n');

/** Breaks a line so that none has more than 75 bytes, and no character is cut (RFC 5545, 3.1). */
function fold(line: string): string {
  const lines: string[] = [];
  let current = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > MAX_LINE_BYTES) {
      lines.push(current);
      current = ' ';
      bytes = 1;
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join('\r\n');
}

/** 20261119T123000Z */
const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** An .ics file with one entry that ends at the deadline, and reminds of it a day and two hours before. */
export function calendarFile({ id, title, text, at, url, writtenAt }: Deadline): string {
  const remind = (before: string) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    `TRIGGER;RELATED=END:-${before}`,
    'END:VALARM',
  ];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Callboard//Auditions//EN',
    'BEGIN:VEVENT',
    `UID:${escaped(id)}`,
    `DTSTAMP:${utc(writtenAt)}`,
    `DTSTART:${utc(at - 30 * 60_000)}`,
    `DTEND:${utc(at)}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    `URL:${url}`,
    ...remind('P1D'),
    ...remind('PT2H'),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
