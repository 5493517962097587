import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getChosenSeconds } from '#db/takes.ts';
import { getKeyChange } from '#features/booth/booth-keys.ts';
import { toFileName } from '#shared/takes/finish-take.ts';
import { getLevelShare, getLevelWord, measureLevel, NO_LEVEL } from '#features/booth/level.ts';
import { getScrollSpeed, getScrollTop, toParagraphs } from '#features/booth/prompter-motion.ts';
import { checkName } from '#features/booth/RenameSheet.tsx';
import { toMinutes } from '#features/booth/room.ts';
import { DEFAULT_SETTINGS, parseSettings } from '#features/booth/settings.ts';
import { formatTenths, getLimits, spanAfterKey, toRange, toSpan } from '#features/booth/trim.ts';
import { formatEnd } from '#features/booth/words.ts';

const MB = 1024 * 1024;

describe('the level of the microphone', () => {
  const tone = (amplitude: number) =>
    measureLevel(Float32Array.from({ length: 4096 }, (_, n) => amplitude * Math.sin(n / 7)));

  it.each([
    [0, 'No sound'],
    [0.0005, 'No sound'],
    [0.004, 'Too quiet'],
    [0.1, 'Good level'],
    [1, 'Too loud'],
  ])('of a tone of %d is "%s"', (amplitude, word) => {
    expect(getLevelWord(tone(amplitude))).toBe(word);
  });

  it('fills the meter from silence to the loudest', () => {
    expect(getLevelShare(NO_LEVEL)).toBe(0);
    expect(getLevelShare({ meanDb: 0, peakDb: 0 })).toBe(1);
    expect(getLevelShare(tone(0.1))).toBeGreaterThan(getLevelShare(tone(0.01)));
  });
});

describe('the room for takes', () => {
  it('counts recording and copy, and leaves a reserve', () => {
    expect(toMinutes(0)).toBe(0);
    expect(toMinutes(50 * MB + 79 * MB)).toBe(1);
    expect(toMinutes(50 * MB + 80 * MB)).toBe(2);
  });
});

describe('trimming', () => {
  const take = { duration: 39.47, range: null };
  const limits = getLimits(take);

  it('takes all of it until a handle is moved, and again when both are back', () => {
    expect(toSpan(take)).toEqual({ low: 0, high: 394 });
    expect(toRange({ low: 0, high: 394 }, limits)).toBeNull();
    expect(toRange({ low: 12, high: 394 }, limits)).toEqual({ from: 1.2, to: 39.4 });
  });

  it('moves by a tenth of a second and by a second with the keyboard', () => {
    const span = { low: 100, high: 200 };
    expect(spanAfterKey('ArrowRight', span, 'low', limits)).toEqual({ low: 101, high: 200 });
    expect(spanAfterKey('PageDown', span, 'high', limits)).toEqual({ low: 100, high: 190 });
    expect(spanAfterKey('Home', span, 'low', limits)).toEqual({ low: 0, high: 200 });
    expect(spanAfterKey('End', span, 'low', limits)).toEqual({ low: 190, high: 200 });
    expect(spanAfterKey('a', span, 'low', limits)).toBeNull();
  });

  it('never leaves less than a second, nor more than there is', () => {
    const keys = fc.constantFrom('ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End');
    const steps = fc.array(fc.tuple(keys, fc.constantFrom('low', 'high')), { maxLength: 60 });
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1200, noNaN: true }), steps, (duration, presses) => {
        const bounds = getLimits({ duration, range: null });
        let span = toSpan({ duration, range: null });
        for (const [key, handle] of presses) span = spanAfterKey(key, span, handle as 'low' | 'high', bounds) ?? span;
        expect(span.high - span.low).toBeGreaterThanOrEqual(10);
        expect(span.low).toBeGreaterThanOrEqual(0);
        expect(span.high).toBeLessThanOrEqual(bounds.max);
        expect(toSpan({ duration, range: toRange(span, bounds) })).toEqual(span);
      }),
    );
  });

  it('says times and lengths to a tenth', () => {
    expect([0, 4, 624, 12_000].map(formatTenths)).toEqual(['0:00.0', '0:00.4', '1:02.4', '20:00.0']);
    expect(getChosenSeconds({ duration: 40, range: { from: 10, to: 12.5 } })).toBe(2.5);
  });
});

describe('the prompter', () => {
  it('is faster with each step, and moves whole lines for people who want less motion', () => {
    expect(getScrollSpeed(1, 60)).toBe(8);
    expect(getScrollSpeed(9, 60)).toBeGreaterThan(getScrollSpeed(8, 60));
    expect(getScrollTop(100, 3, 8, 30, false)).toBe(124);
    expect(getScrollTop(100, 3, 8, 30, true)).toBe(100);
    expect(getScrollTop(100, 4, 8, 30, true)).toBe(130);
  });

  it('shows one paragraph per line that has words', () => {
    expect(toParagraphs('FARAAZ: You knew.\r\n\n  NASEEM: I knew. \n')).toEqual([
      'FARAAZ: You knew.',
      'NASEEM: I knew.',
    ]);
  });

  it('is controlled with keys, within its limits', () => {
    const settings = { speed: 9, size: 1, isMirrored: false };
    expect(getKeyChange('ArrowUp', settings)).toEqual({ speed: 9 });
    expect(getKeyChange('ArrowDown', settings)).toEqual({ speed: 8 });
    expect(getKeyChange('+', settings)).toEqual({ size: 2 });
    expect(getKeyChange('-', settings)).toEqual({ size: 1 });
    expect(getKeyChange('m', settings)).toEqual({ isMirrored: true });
    expect(getKeyChange('x', settings)).toBeNull();
  });
});

describe('the settings of the booth', () => {
  it('survive being stored', () => {
    const settings = { ...DEFAULT_SETTINGS, script: 'NASEEM: I knew.', speed: 9, facing: 'environment' as const };
    expect(parseSettings(JSON.parse(JSON.stringify(settings)) as Record<string, unknown>)).toEqual(settings);
  });

  it('fall back one by one where another version stored something else', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(DEFAULT_SETTINGS)), fc.anything()), (stored) => {
        const settings = parseSettings(stored);
        expect(settings.speed >= 1 && settings.speed <= 9 && settings.size >= 1 && settings.size <= 5).toBe(true);
        expect(parseSettings({ ...settings })).toEqual(settings);
      }),
    );
    expect(parseSettings({ speed: 'fast', shot: 'close' })).toEqual({ ...DEFAULT_SETTINGS, shot: 'close' });
  });
});

describe('words', () => {
  it('say why a take ended, and that it is kept', () => {
    expect(formatEnd('camera', 72)).toBe(
      'Stopped at 1:12 because the camera was unplugged or taken by a call. The take is kept.',
    );
    expect(formatEnd('full', null)).toBe('Nothing was recorded, because the storage is full.');
  });

  it('make a file name that every system accepts', () => {
    expect(toFileName('Take 3', 'video/mp4;codecs=avc1')).toBe('Take 3.mp4');
    expect(toFileName('Naseem: "no"/yes', 'video/webm')).toBe('Naseem   no  yes.webm');
    expect(toFileName('///', 'video/mp4')).toBe('Take.mp4');
  });

  it('refuse a name that is empty or too long', () => {
    expect(checkName('  ')).toBe('Enter a name');
    expect(checkName('नसीम '.repeat(30))).toBe('Use at most 120 characters');
    expect(checkName('Naseem, close-up')).toBeNull();
  });
});
