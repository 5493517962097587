import { describe, expect, it } from 'vitest';
import { shortName, sizeWords, timeLeft } from '#lib/file-words.ts';

describe('a file in the upload sheet', () => {
  it('cuts names over 15 characters to 12 and three dots', () => {
    expect(shortName('IMG_4471.jpg')).toBe('IMG_4471.jpg');
    expect(shortName('123456789012345')).toBe('123456789012345');
    expect(shortName('Headshot_warm_light.jpg')).toBe('Headshot_war...');
  });

  it('never cuts an emoji in half', () => {
    expect(shortName('🎭'.repeat(16))).toBe(`${'🎭'.repeat(12)}...`);
  });

  it('says sizes in B, KB, MB and GB with two decimals', () => {
    expect([0, 900, 1536, 3_355_443, 2 * 1024 ** 3, 5 * 1024 ** 4].map(sizeWords)).toEqual([
      '0.00 B',
      '900.00 B',
      '1.50 KB',
      '3.20 MB',
      '2.00 GB',
      '5120.00 GB',
    ]);
  });
});

describe('the time an upload has left', () => {
  const MB = 1024 * 1024;

  it('is not guessed from a single moment or a standstill', () => {
    expect(timeLeft([], MB)).toBeNull();
    expect(timeLeft([{ at: 0, sentBytes: MB }], 2 * MB)).toBeNull();
    const stuck = [
      { at: 0, sentBytes: MB },
      { at: 5000, sentBytes: MB },
    ];
    expect(timeLeft(stuck, 2 * MB)).toBeNull();
  });

  it('follows the speed of the last half minute', () => {
    const slowThenFast = [
      { at: 0, sentBytes: 0 },
      { at: 60_000, sentBytes: MB },
      { at: 70_000, sentBytes: 2 * MB },
    ];
    expect(timeLeft(slowThenFast, 26 * MB)).toBe('about 4 min left at this speed');
    expect(timeLeft(slowThenFast, 5 * MB)).toBe('about 30 s left at this speed');
    expect(timeLeft(slowThenFast, 2 * MB)).toBe('a few seconds left');
  });
});
