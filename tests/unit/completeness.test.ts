import { describe, expect, it } from 'vitest';
import { toRemainingText, getSteps } from '#features/profile/completeness.ts';

const nothing = { hasPortrait: false, credits: 0, hasLanguages: false, hasContact: false };
const done = (...given: Parameters<typeof getSteps>) =>
  getSteps(...given).flatMap((step) => (step.isDone ? [step.key] : []));

describe('ready for casting', () => {
  it('counts nothing for a profile with nothing in it', () => {
    expect(done({ stage_name: 'Kabir Bhatt', location: null }, nothing)).toEqual([]);
  });

  it('counts the city, the span of ages and what lies in sections', () => {
    const profile = { stage_name: 'Kabir Bhatt', location: 'Jaipur', min_age_range: 0, max_age_range: 6 };
    expect(done(profile, { ...nothing, hasLanguages: true })).toEqual(['name', 'age', 'languages']);
  });

  it('takes a portrait that only this device has for a portrait', () => {
    expect(done({}, { ...nothing, hasPortrait: true })).toEqual(['photo']);
    expect(done({ profile_photo: '/storage/a.jpg' }, nothing)).toEqual(['photo']);
  });

  it('wants two credits', () => {
    expect(done({}, { ...nothing, credits: 1 })).toEqual([]);
    expect(done({}, { ...nothing, credits: 2 })).toEqual(['credits']);
  });

  it('says what is left', () => {
    const full = { stage_name: 'A', location: 'B', profile_photo: 'c', min_age_range: 1, max_age_range: 9 };
    expect(toRemainingText(getSteps(full, { ...nothing, credits: 3 }))).toBe(
      'Two steps left: languages, a way to reach you',
    );
    expect(toRemainingText(getSteps(full, { ...nothing, credits: 3, hasContact: true }))).toBe('One last step');
  });
});
