import { describe, expect, it } from 'vitest';
import { toRemainingText, getSteps } from '#features/profile/completeness.ts';

const empty = { hasPortrait: false, credits: 0, hasLanguages: false, hasContact: false };
const getDoneKeys = (...given: Parameters<typeof getSteps>) =>
  getSteps(...given).flatMap((step) => (step.isDone ? [step.key] : []));

describe('profile completeness', () => {
  it('counts no steps for an empty profile', () => {
    expect(getDoneKeys({ stage_name: 'Kabir Bhatt', location: null }, empty)).toEqual([]);
  });

  it('counts the city, the playing age and the content of sections', () => {
    const profile = { stage_name: 'Kabir Bhatt', location: 'Jaipur', min_age_range: 0, max_age_range: 6 };
    expect(getDoneKeys(profile, { ...empty, hasLanguages: true })).toEqual(['name', 'age', 'languages']);
  });

  it('counts a portrait that has not been sent yet', () => {
    expect(getDoneKeys({}, { ...empty, hasPortrait: true })).toEqual(['photo']);
    expect(getDoneKeys({ profile_photo: '/storage/a.jpg' }, empty)).toEqual(['photo']);
  });

  it('requires two credits', () => {
    expect(getDoneKeys({}, { ...empty, credits: 1 })).toEqual([]);
    expect(getDoneKeys({}, { ...empty, credits: 2 })).toEqual(['credits']);
  });

  it('names the remaining steps', () => {
    const full = { stage_name: 'A', location: 'B', profile_photo: 'c', min_age_range: 1, max_age_range: 9 };
    expect(toRemainingText(getSteps(full, { ...empty, credits: 3 }))).toBe(
      'Two steps left: languages, a way to reach you',
    );
    expect(toRemainingText(getSteps(full, { ...empty, credits: 3, hasContact: true }))).toBe('One last step');
  });
});
