import { describe, expect, test } from 'vitest';
import { isYounger, needsAgeCheck } from '#contract/age.ts';
import { getCurrentVersion, isKnownVersion, LEGAL, LEGAL_DOCUMENTS } from '#contract/legal.ts';

describe('isYounger', () => {
  test.each([
    ['2008-11-21', '2026-11-20T23:59:59.999Z', true],
    ['2008-11-21', '2026-11-21T00:00:00.000Z', false],
    ['2008-02-29', '2026-02-28T23:59:59.999Z', true],
    ['2008-02-29', '2026-03-01T00:00:00.000Z', false],
    ['2010-03-01', '2028-02-29T12:00:00.000Z', true],
    ['2010-02-28', '2028-02-29T12:00:00.000Z', false],
    // The same moment is the 22nd in UTC+14 and the 20th in UTC−11.
    ['2008-11-21', '2026-11-22T13:59:59+14:00', false],
    ['2008-11-22', '2026-11-22T13:59:59+14:00', true],
    ['2008-11-21', '2026-11-20T13:00:00-11:00', false],
  ])('born on %s at %s: %s', (bornOn, now, expected) => {
    expect(isYounger(bornOn, 18, new Date(now))).toBe(expected);
  });
});

describe('needsAgeCheck', () => {
  test.each([
    [null, '1990-01-01', false],
    // Under 18: every earlier date, also one that makes nobody an adult.
    ['2011-03-05', '1990-01-01', true],
    ['2011-03-05', '2011-03-04', true],
    ['2011-03-05', '2011-03-05', false],
    ['2011-03-05', '2012-01-01', false],
    // Of age: none.
    ['2008-11-21', '1990-01-01', false],
    ['2008-11-22', '1990-01-01', true],
    ['1990-01-01', '2011-03-05', false],
  ])('from %s to %s: %s', (before, bornOn, expected) => {
    expect(needsAgeCheck(before, bornOn, new Date('2026-11-21T12:00:00Z'))).toBe(expected);
  });
});

test('knows every version of the texts, with at most two lines about each', () => {
  for (const document of LEGAL_DOCUMENTS) {
    const { versions } = LEGAL[document];
    expect(new Set(versions.map(({ version }) => version)).size).toBe(versions.length);
    for (const { version, changes } of versions) {
      expect(isKnownVersion(document, version)).toBe(true);
      expect(changes.length).toBeLessThanOrEqual(2);
    }
    expect(getCurrentVersion(document)).toBe(versions.at(-1));
  }
});
