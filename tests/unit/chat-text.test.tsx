import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { formatDay, formatShortTime } from '#features/chat/days.ts';
import { linkify } from '#features/chat/linkify.tsx';
import { getRefusalText } from '#shared/chat/refusal-text.ts';

const html = (text: string) => renderToStaticMarkup(<>{linkify(text)}</>);

describe('linkify', () => {
  test('links URLs that open outside the app without a referrer', () => {
    expect(html('see https://example.org/a?b=1.')).toBe(
      'see <a href="https://example.org/a?b=1" target="_blank" rel="noopener noreferrer nofollow" class="underline">https://example.org/a?b=1</a>.',
    );
    expect(html('www.example.org now')).toContain('href="https://www.example.org"');
    expect(html('(https://example.org/x_(y))')).toContain('href="https://example.org/x_(y)"');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '<script>alert(1)</script>', 'file:///etc/passwd'])(
    'does not link %s',
    (text) => expect(html(text)).not.toContain('<a '),
  );
});

describe('dates of a conversation', () => {
  const now = new Date(2026, 7, 14, 15, 0).getTime();
  const at = (days: number) => new Date(2026, 7, 14 - days, 9, 5).toISOString();
  test('formats a day relative to today', () => {
    expect([0, 1, 3, 9].map((days) => formatDay(at(days), now))).toEqual([
      'Today',
      'Yesterday',
      'Tuesday',
      '5 Aug 2026',
    ]);
  });
  test('formats a short time for the list', () => {
    const times = [0, 3, 9, 400].map((days) => formatShortTime(Date.parse(at(days)), now));
    expect(times).toEqual(['9:05', 'Tue', '5 Aug', '10 Jul 2025']);
  });
});

describe('getRefusalText', () => {
  const error = { status: 404, message: 'Not found' };
  test('explains the reason when the server’s message would not help', () => {
    expect(getRefusalText({ reason: 'gone', error })).toBe('This conversation is closed. Your words are still here.');
    expect(getRefusalText({ reason: 'unknown-op', error })).toBe('Update the app to send this.');
  });
  test('returns the server’s message for other reasons', () => {
    expect(getRefusalText({ reason: 'invalid', error: { status: 422, message: 'Keep it short' } })).toBe(
      'Keep it short',
    );
    expect(getRefusalText({ reason: 'invalid' })).toBe('This could not be sent.');
  });
});
