import { describe, expect, it } from 'vitest';
import { fileSize, money, percent, perDay, range } from '#lib/amounts.ts';
import { agoText, dayText, leftText } from '#lib/dates.ts';
import { deviceWordFor } from '#lib/device.ts';
import { count, initials, numberInWords, shortName } from '#lib/text.ts';

describe('amounts', () => {
  it('groups rupees the Indian way', () => {
    expect(money(18000)).toBe('₹18,000');
    expect(money(1234567.5)).toBe('₹12,34,567.5');
    expect(perDay(18000)).toBe('₹18,000 per day');
  });

  it('writes a range with its ends, or the one end it has', () => {
    expect(range(26, 34)).toBe('26 to 34');
    expect(range(30, 30)).toBe('30');
    expect(range(null, 34)).toBe('34');
    expect(range(0, 6)).toBe('0 to 6');
    expect(range(null, undefined)).toBe('');
  });

  it('shows sizes in B, KB, MB and GB with two decimals', () => {
    expect(fileSize(0)).toBe('0 B');
    expect(fileSize(1023)).toBe('1023 B');
    expect(fileSize(1536)).toBe('1.50 KB');
    expect(fileSize(10 * 1024 * 1024)).toBe('10.00 MB');
    expect(fileSize(5 * 1024 ** 4)).toBe('5120.00 GB');
  });

  it('says 100 per cent only when all is there', () => {
    expect(percent(999_999, 1_000_000)).toBe(99);
    expect(percent(1, 1)).toBe(100);
    expect(percent(2, 1)).toBe(100);
    expect(percent(0, 0)).toBe(0);
  });
});

describe('dates', () => {
  it('writes a calendar day the same in every time zone', () => {
    expect(dayText('2026-08-14')).toBe('14 Aug 2026');
    expect(dayText('1996-01-01')).toBe('1 Jan 1996');
    expect(dayText('no date')).toBe('');
  });

  it('counts back in the largest whole unit, months of 30 days', () => {
    const now = Date.UTC(2026, 7, 14, 12);
    const ago = (seconds: number) => agoText(now - seconds * 1000, now);
    expect(ago(0)).toBe('Just now');
    expect(ago(-50)).toBe('Just now');
    expect(ago(1)).toBe('1 second ago');
    expect(ago(59)).toBe('59 seconds ago');
    expect(ago(60)).toBe('1 minute ago');
    expect(ago(3 * 86_400)).toBe('3 days ago');
    expect(ago(13 * 86_400)).toBe('1 week ago');
    expect(ago(59 * 86_400)).toBe('1 month ago');
    expect(ago(365 * 86_400)).toBe('1 year ago');
  });

  it('rounds the time an upload still takes', () => {
    expect(leftText(4)).toBe('a few seconds left');
    expect(leftText(42)).toBe('about 40 s left');
    expect(leftText(240)).toBe('about 4 min left');
    expect(leftText(Infinity)).toBe('');
  });
});

describe('words', () => {
  it('cuts file names over 15 characters to 12, counting as a person counts', () => {
    expect(shortName('slate_hindi.jpg')).toBe('slate_hindi.jpg');
    expect(shortName('showreel_final_3.mp4')).toBe('showreel_fin...');
    expect(shortName('🎭'.repeat(16))).toBe(`${'🎭'.repeat(12)}...`);
  });

  it('counts things', () => {
    expect(count(1, 'change')).toBe('1 change');
    expect(count(5, 'change')).toBe('5 changes');
    expect(numberInWords(2)).toBe('Two');
    expect(numberInWords(42)).toBe('42');
  });

  it('takes initials in any script', () => {
    expect(initials('Meera Kulkarni')).toBe('MK');
    expect(initials('  zoya ')).toBe('Z');
    expect(initials('मीरा कुलकर्णी')).toBe('मक');
    expect(initials('')).toBe('');
  });

  it('calls the device what its owner calls it', () => {
    expect(deviceWordFor(false, 390)).toBe('computer');
    expect(deviceWordFor(true, 390)).toBe('phone');
    expect(deviceWordFor(true, 768)).toBe('tablet');
  });
});
