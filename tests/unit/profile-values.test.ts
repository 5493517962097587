import { describe, expect, it } from 'vitest';
import { updateProfileBody } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { getEditorParamFor, toEditorParam, NEW_ITEM, parseEditorParam } from '#features/profile/editor.ts';
import { changedFields } from '#shared/forms/form-values.ts';
import { toProfileRow, toProfileValues, suggestPlayingAge } from '#features/profile/profile-values.ts';

const stored = {
  stage_name: 'Meera Kulkarni',
  title: null,
  location: 'Mumbai',
  per_day: 118000,
  dob: '1996-08-14',
  min_age_range: 26,
  max_age_range: 34,
};

const toRow = (values: ReturnType<typeof toProfileValues>) => updateProfileBody.parse(toProfileRow(values));

describe('Edit Profile', () => {
  it('sends nothing when nothing has changed', () => {
    expect(changedFields(stored, toRow(toProfileValues(stored)))).toEqual({});
  });

  it('sends only changed fields', () => {
    const values = { ...toProfileValues(stored), title: 'Actor', max_age_range: '40' };
    expect(changedFields(stored, toRow(values))).toEqual({ title: 'Actor', max_age_range: 40 });
  });

  it('formats and parses the day rate with grouping commas and a rupee sign', () => {
    expect(toProfileValues(stored)['per_day']).toBe('1,18,000');
    expect(toProfileRow({ ...toProfileValues(stored), per_day: '₹ 20,000' })['per_day']).toBe(20000);
    expect(toProfileRow({ ...toProfileValues(stored), per_day: '' })['per_day']).toBeNull();
  });

  it('refuses a day rate that is not a number and keeps the typed text', () => {
    const row = toProfileRow({ ...toProfileValues(stored), per_day: 'a lot' });
    expect(row['per_day']).toBe('a lot');
    expect(updateProfileBody.safeParse(row).success).toBe(false);
  });

  it('clears emptied fields but requires a stage name', () => {
    const values = { ...toProfileValues(stored), location: ' ', dob: '' };
    expect(changedFields(stored, toRow(values))).toEqual({ location: null, dob: null });
    expect(updateProfileBody.safeParse(toProfileRow({ ...values, stage_name: '  ' })).success).toBe(false);
  });

  it('keeps the playing age empty until it is set, and clears it again', () => {
    const without = { ...stored, min_age_range: null, max_age_range: null };
    expect(changedFields(without, toRow(toProfileValues(without)))).toEqual({});
    const emptied = { ...toProfileValues(stored), min_age_range: '', max_age_range: '' };
    expect(changedFields(stored, toRow(emptied))).toEqual({ min_age_range: null, max_age_range: null });
  });

  it.each([
    ['1996-08-14', { low: 26, high: 34 }],
    ['1996-11-23', { low: 25, high: 33 }],
    ['2025-01-01', { low: 0, high: 6 }],
    ['1926-11-22', { low: 94, high: 100 }],
    ['1900-01-01', null],
    ['2027-01-01', null],
    ['', null],
  ])('suggests a playing age from the date of birth %s', (dob, ages) => {
    expect(suggestPlayingAge(dob, '2026-11-22')).toEqual(ages);
  });
});

describe('the edit parameter of the address', () => {
  it.each(SECTIONS.map((section) => section.key))('round-trips an existing and a new row of %s', (key) => {
    expect(parseEditorParam(toEditorParam(key, 'L_1-2'))).toEqual({ type: key, id: 'L_1-2' });
    expect(parseEditorParam(toEditorParam(key, NEW_ITEM))).toEqual({ type: key, id: NEW_ITEM });
  });

  it('opens the form that has the refused field', () => {
    const row = { type: 'profile', target: '7', patch: { title: 'x', description: 'y' } };
    const refused = (errors: Record<string, string[]>) => ({ ...row, lastError: { status: 422, message: '', errors } });
    expect(getEditorParamFor(refused({ description: ['Too long'] }))).toBe('about_me:7');
    expect(getEditorParamFor(refused({ title: ['Too long'] }))).toBe('profile');
    expect(getEditorParamFor({ type: 'skill', target: 'L_3', patch: {} })).toBe('skill:L_3');
  });
});
