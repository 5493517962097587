import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { formatDay, formatShortTime } from '#features/chat/days.ts';
import { linkify } from '#features/chat/linkify.tsx';
import { getRefusalText } from '#features/chat/refusal-text.ts';

const html = (text: string) => renderToStaticMarkup(<>{linkify(text)}</>);

describe('an address in a message', () => {
  test('leads out of the app and tells nothing of it', () => {
    expect(html('see https://example.org/a?b=1.')).toBe(
      'see <a href="https://example.org/a?b=1" target="_blank" rel="noopener noreferrer nofollow" class="underline">https://example.org/a?b=1</a>.',
    );
    expect(html('www.example.org now')).toContain('href="https://www.example.org"');
    expect(html('(https://example.org/x_(y))')).toContain('href="https://example.org/x_(y)"');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '<script>alert(1)</script>', 'file:///etc/passwd'])(
    'is none where it could do harm: %s',
    (text) => expect(html(text)).not.toContain('<a '),
  );
});

describe('a day of a conversation', () => {
  const now = new Date(2026, 7, 14, 15, 0).getTime();
  const at = (days: number) => new Date(2026, 7, 14 - days, 9, 5).toISOString();
  test('is named as people do', () => {
    expect([0, 1, 3, 9].map((days) => formatDay(at(days), now))).toEqual([
      'Today',
      'Yesterday',
      'Tuesday',
      '5 Aug 2026',
    ]);
  });
  test('is short in a list', () => {
    const times = [0, 3, 9, 400].map((days) => formatShortTime(Date.parse(at(days)), now));
    expect(times).toEqual(['9:05', 'Tue', '5 Aug', '10 Jul 2025']);
  });
});

describe('a message that was refused', () => {
  const error = { status: 404, message: 'Not found' };
  test('says what that means to who wrote it, where the server’s words do not', () => {
    expect(getRefusalText({ reason: 'gone', error })).toBe('This conversation is closed. Your words are still here.');
    expect(getRefusalText({ reason: 'unknown-op', error })).toBe('Update the app to send this.');
  });
  test('says what the server said of it', () => {
    expect(getRefusalText({ reason: 'invalid', error: { status: 422, message: 'Keep it short' } })).toBe(
      'Keep it short',
    );
    expect(getRefusalText({ reason: 'invalid' })).toBe('This could not be sent.');
  });
});
