import { describe, expect, it } from 'vitest';
import { checkRules, toErrorMap, rowSchema } from '#contract/schema.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';
import { experience } from '#contract/sections/experience.ts';
import { socialLink } from '#contract/sections/social_link.ts';
import {
  changedFields,
  getFirstInvalid,
  getSummaryText,
  isDirty,
  toRow,
  sortErrors,
  toFormValues,
} from '#shared/forms/form-values.ts';

const credit = { ...experience.example };

describe.each(SECTIONS.map((section) => [section.key, section] as const))('the form of %s', (_, section) => {
  it('gives back the row it was filled with', () => {
    expect(toRow(section, toFormValues(section, section.example))).toEqual(section.example);
  });

  it('passes its own example and asks for every required field when empty', () => {
    const schema = rowSchema(section, () => 2026);
    expect(schema.safeParse(toRow(section, toFormValues(section, section.example))).success).toBe(true);
    const empty = schema.safeParse(toRow(section, toFormValues(section)));
    const wrong = empty.success ? {} : toErrorMap(empty.error.issues);
    // A switch is on or off and a list may be empty: neither can be missing.
    const canMiss = (kind: string) => kind !== 'flag' && kind !== 'ids';
    const required = Object.entries(section.fields).filter(([, field]) => field.required && canMiss(field.kind));
    expect(wrong).toEqual({
      ...Object.fromEntries(required.map(([key, field]) => [key, [field.missing]])),
      ...checkRules(section, toRow(section, toFormValues(section))),
    });
  });
});

describe('the values that a form sends', () => {
  it('sends only what changed', () => {
    expect(changedFields(credit, { ...credit, details: 'Ira', start_month: 2 })).toEqual({ details: 'Ira' });
  });

  it('counts a missing field and an empty one as the same', () => {
    expect(changedFields({ link: undefined }, { link: null })).toEqual({});
    expect(changedFields({ link: 'https://example.org' }, { link: null })).toEqual({ link: null });
  });

  it('keeps the spaces and line breaks inside a text', () => {
    const text = 'One.\n\nTwo, then  three.';
    expect(toRow(experience, { ...toFormValues(experience, credit), details: text }).details).toBe(text);
  });

  it('lets a choice that is none of the options reach validation', () => {
    expect(toRow(experience, { ...toFormValues(experience, credit), experience_type: 'Opera' }).experience_type).toBe(
      'Opera',
    );
  });
});

describe('the check of a form', () => {
  const wrongIn = (section: Section, row: object) => {
    const checked = rowSchema(section, () => 2026).safeParse(row);
    return checked.success ? {} : toErrorMap(checked.error.issues);
  };

  it('reports an end before the start beside the errors of other fields', () => {
    expect(wrongIn(experience, { ...credit, details: '', experience_type: null, end_year: 2020 })).toEqual({
      experience_type: ['Choose a production type'],
      details: ['Add the role you played'],
      end_year: ['The end comes before the start'],
    });
  });

  it('does not compare dates while one of them is missing', () => {
    expect(wrongIn(experience, { ...credit, end_month: null })).toEqual({ end_month: ['Choose the month it ended'] });
  });

  it('refuses links without an address in words', () => {
    expect(wrongIn(socialLink, { website_url: ' ' })).toEqual({ facebook_url: ['Add at least one link'] });
    expect(wrongIn(socialLink, { website_url: 'meera.example' })).toEqual({});
  });
});

describe('an open form', () => {
  it('is dirty once something differs, and clean again when it is typed back', () => {
    const start = toFormValues(experience, credit);
    expect(isDirty(start, { ...start })).toBe(false);
    expect(isDirty(start, { ...start, details: 'Sulbh' })).toBe(true);
  });

  it('says how many things there are to fix', () => {
    const typed = { details: 'Sulbha', link: '' };
    expect(getSummaryText(1, typed)).toBe('One thing to fix. What you typed is safe.');
    expect(getSummaryText(2, typed)).toBe('Two things to fix. What you typed is safe.');
    expect(getSummaryText(14, typed)).toBe('14 things to fix. What you typed is safe.');
  });

  it('asks for the required fields when nothing was typed', () => {
    const empty = { details: '', link: ' ' };
    expect(getSummaryText(1, empty)).toBe('Fill in the required field.');
    expect(getSummaryText(7, empty)).toBe('Fill in the seven required fields.');
  });

  it('sends the cursor to the first wrong field in the order of the form', () => {
    const keys = Object.keys(experience.fields);
    const errors = sortErrors(keys, { end_year: ['The end comes before the start'], details: ['Too long'] });
    expect(getFirstInvalid(keys, errors)).toBe('details');
  });

  it('shows what the server says of a field the form does not have', () => {
    const errors = sortErrors(['name'], { profile_id: ['Not your profile'], name: ['Name the skill', 'second'] });
    expect(errors).toEqual({ fields: { name: 'Name the skill' }, others: ['Not your profile'] });
    expect(getFirstInvalid(['name'], { fields: {}, others: ['Not your profile'] })).toBeUndefined();
  });
});
