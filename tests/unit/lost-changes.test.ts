import { describe, expect, test } from 'vitest';
import { formatLostChanges } from '#app/layout/LossNotices.tsx';
import { ACTS } from '#contract/casting/acts.ts';

describe('the lost changes', () => {
  test('are counted once for each place', () => {
    expect(formatLostChanges({ project: 1, role: 2, request: 3, audition: 1, tape: 60, profile: 1 })).toBe(
      '6 in Casting, 1 in Auditions, 60 in tapes, 1 in your profile',
    );
  });

  test.each(Object.keys(ACTS))('name a place for what was done with a record of the type %s', (type) => {
    expect(formatLostChanges({ [type]: 1 })).toMatch(/^1 in /);
  });

  test('are left out where only their number is known', () => {
    expect(formatLostChanges({ '': 3 })).toBe('');
  });
});
