import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMediaName, getDurationSeconds, getTab } from '#features/media/media-item.ts';
import { isInPeriod, type Period } from '#features/media/period.ts';
import { getTabAfterKey, getAdjacentTab, getTabs } from '#features/media/tabs.ts';
import { formatDuration } from '#lib/dates.ts';
import { getSeekTarget, toBars } from '#features/media/waveform.ts';
import { CLOSE, pan, WHOLE, zoomAround } from '#ui/zoom.ts';

const item = (media_type: string, more: Record<string, unknown> = {}) => ({ body: { media_type, ...more } });

test('tabs are Full and the kinds that have items, in their order', () => {
  expect(getTabs([])).toEqual([]);
  const tabs = getTabs([item('document'), item('youtube'), item('image'), item('video')]);
  expect(tabs.map(({ key, count }) => [key, count])).toEqual([
    ['full', 4],
    ['photos', 1],
    ['videos', 2],
    ['docs', 1],
  ]);
});

test('arrows go round the tabs, a swipe stops at their ends', () => {
  const tabs = getTabs([item('image'), item('audio')]);
  expect(getTabAfterKey(tabs, 'audio', 'ArrowRight')).toBe('full');
  expect(getTabAfterKey(tabs, 'full', 'ArrowLeft')).toBe('audio');
  expect(getTabAfterKey(tabs, 'audio', 'Home')).toBe('full');
  expect(getTabAfterKey(tabs, 'full', 'End')).toBe('audio');
  expect(getTabAfterKey(tabs, 'full', 'Enter')).toBeNull();
  expect(getAdjacentTab(tabs, 'full', -1)).toBeNull();
  expect(getAdjacentTab(tabs, 'photos', 1)).toBe('audio');
});

test('what has no name says what it is', () => {
  expect(getMediaName(item('image', { name: 'Headshot' }))).toBe('Headshot');
  expect(getMediaName(item('youtube', { name: '  ' }))).toBe('Video without a name');
  expect(getMediaName(item('audio'))).toBe('Recording without a name');
  expect(getTab(item('hologram'))).toBeUndefined();
});

test('lengths read as on a clock', () => {
  expect([0, 12.4, 134, 3723].map(formatDuration)).toEqual(['0:00', '0:12', '2:14', '1:02:03']);
  expect(getDurationSeconds({ body: { duration: null } })).toBeNull();
});

test('today, this month and this year go by the calendar of this device', () => {
  const now = new Date(2026, 10, 21, 12);
  const within = (at: Date) =>
    (['today', 'month', 'year', 'all'] as Period[]).filter((period) => isInPeriod(period, at.toISOString(), now));
  expect(within(new Date(2026, 10, 21, 0, 1))).toEqual(['today', 'month', 'year', 'all']);
  expect(within(new Date(2026, 10, 20, 23, 59))).toEqual(['month', 'year', 'all']);
  expect(within(new Date(2026, 9, 21))).toEqual(['year', 'all']);
  expect(within(new Date(2025, 10, 21))).toEqual(['all']);
  expect(isInPeriod('today', undefined, now)).toBe(true);
});

test('a wave has as many columns as asked for, none of them out of its bounds', () => {
  fc.assert(
    fc.property(
      fc.option(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 300 })),
      fc.integer({ min: 1, max: 120 }),
      (peaks, bars) => {
        const columns = toBars(peaks, bars);
        expect(columns).toHaveLength(bars);
        expect(columns.every((height) => height > 0 && height <= 1)).toBe(true);
      },
    ),
  );
  expect(toBars([0.2, 0.9, 0.4, 0.1], 2)).toEqual([0.9, 0.4]);
});

test('keys move a recording and stay within it', () => {
  expect(getSeekTarget('ArrowRight', 3, 12)).toBe(8);
  expect(getSeekTarget('ArrowLeft', 3, 12)).toBe(0);
  expect(getSeekTarget('PageUp', 5, 12)).toBe(12);
  expect(getSeekTarget('End', 5, 12)).toBe(12);
  expect(getSeekTarget('a', 5, 12)).toBeNull();
});

const FRAME = { width: 390, height: 700 };

test('coming closer keeps what lies under the finger there', () => {
  const at = { x: 40, y: -60 };
  const view = zoomAround(WHOLE, CLOSE, at, FRAME);
  expect(view.scale).toBe(CLOSE);
  // The point of the picture that was there, where it lies now.
  expect([at.x * view.scale + view.x, at.y * view.scale + view.y].map(Math.round)).toEqual([at.x, at.y]);
  expect(zoomAround(view, 1 / 10, at, FRAME)).toEqual(WHOLE);
});

test('no edge of a picture comes inside its frame', () => {
  const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const step = fc.record({ factor: fc.double({ min: 0.2, max: 5, noNaN: true }), x: number(400), y: number(700) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let view = WHOLE;
      for (const { factor, x, y } of steps) view = pan(zoomAround(view, factor, { x, y }, FRAME), { x, y }, FRAME);
      expect(Math.abs(view.x)).toBeLessThanOrEqual(((view.scale - 1) * FRAME.width) / 2 + 1e-6);
      expect(Math.abs(view.y)).toBeLessThanOrEqual(((view.scale - 1) * FRAME.height) / 2 + 1e-6);
    }),
  );
});
