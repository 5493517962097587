import { describe, expect, it } from 'vitest';
import { experience } from '#contract/sections/experience.ts';
import { toChoices, compareVersions } from '#features/sync-status/compare-versions.ts';
import { getSummary, getCopyText } from '#features/sync-status/row-text.ts';
import type { WaitingItem } from '#db/views.ts';
import { outboxRow } from '../support/outbox-row.ts';

const theirs = { ...experience.example, link: null };
const mine = { ...theirs, details: 'Sulbha (lead)', end_month: 7 };

describe('compareVersions', () => {
  const pairs = compareVersions(experience, mine, theirs);

  it('marks the lines that differ', () => {
    expect(pairs.filter((pair) => pair.isDifferent).map((pair) => [pair.label, pair.mine, pair.theirs])).toEqual([
      ['Role', 'Sulbha (lead)', 'Sulbha'],
      ['End', 'Jul 2024', 'May 2024'],
    ]);
  });

  it('leaves out lines that are empty in both versions', () => {
    expect(pairs.some((pair) => pair.label === 'Link')).toBe(false);
  });

  it('returns the chosen side for every field of a line, also for a month and its year', () => {
    const fields = ['details', 'end_month'];
    const other = 'theirs';
    expect(toChoices(pairs, () => 'theirs', { fields, other })).toEqual({
      details: 'theirs',
      end_month: 'theirs',
      end_year: 'theirs',
    });
    const choices = toChoices(pairs, (pair) => (pair.label === 'Role' ? 'mine' : 'theirs'), { fields, other });
    expect(choices.details).toBe('mine');
  });

  it('gives a field that no line shows the side of the whole version', () => {
    expect(toChoices(pairs, () => 'mine', { fields: ['later'], other: 'theirs' })).toMatchObject({ later: 'theirs' });
  });

  it('shows every field of a profile that a person can change', () => {
    const mine = { profile_industry_id: '1', industry_name: 'Theatre', description: 'I act.', location: 'Pune' };
    const theirs = { profile_industry_id: '2', industry_name: 'Film', description: 'I sing.', location: 'Pune' };
    const different = compareVersions(undefined, mine, theirs).filter((pair) => pair.isDifferent);
    expect(different.map((pair) => [pair.keys, pair.label, pair.mine, pair.theirs])).toEqual([
      [['profile_industry_id'], 'Industry', 'Theatre', 'Film'],
      [['description'], 'About me', 'I act.', 'I sing.'],
    ]);
  });
});

describe('the text of an unsent change', () => {
  const item = (row: Partial<WaitingItem['row']>): WaitingItem => ({
    op: 'op',
    changeOp: 'op',
    title: 'Credit: Paper Boats',
    state: 'phone',
    blocked: false,
    row: outboxRow({ baseVersion: 1, ...row }),
  });

  it('summarizes a change without repeating its title', () => {
    const patch = { experience_title: 'Paper Boats', details: 'Tara' };
    expect(getSummary(item({ kind: 'create', patch }))).toBe('Role Tara');
    expect(getSummary(item({ patch }))).toBe('Project name changed · Role Tara');
    expect(getSummary(item({ kind: 'delete' }))).toBe('To be deleted');
  });

  it('names changed profile fields and formats their values', () => {
    const profile = (patch: object) =>
      getSummary({ ...item({ type: 'profile', patch: { ...patch } }), title: 'Profile' });
    expect(profile({ per_day: 22000 })).toBe('Day rate ₹22,000');
    expect(profile({ per_day: 22000, dob: '1995-03-04' })).toBe('Day rate ₹22,000 · Date of birth 4 Mar 1995');
    expect(profile({ per_day: null })).toBe('Day rate removed');
    expect(profile({ status: 'inactive' })).toBe('Status Inactive');
    expect(profile({ profile_industry_id: '7' })).toBe('Industry changed');
    expect(profile({ location: 'Pune', description: 'I act.' })).toBe('City Pune · About me I act.');
  });

  it('names two of many changed fields and counts the rest', () => {
    const patch = { details: 'Tara', start_month: 3, start_year: 2025, link: null, production_details: 'Lantern' };
    expect(getSummary(item({ patch }))).toBe('Role Tara · Director or production company Lantern and 2 more');
  });

  it('shows a changed month with its unchanged year', () => {
    const under = { ...experience.example };
    expect(getSummary({ ...item({ patch: { end_month: 7 } }), under })).toBe('End Jul 2024');
  });

  it('returns no summary when the title says everything', () => {
    const policy = { ...item({ type: 'policy', patch: { name: 'No nights' } }), title: 'Policy: No nights' };
    expect(getSummary(policy)).toBe('');
    const about = { ...item({ type: 'profile', patch: { description: 'Hello' } }), title: 'About me' };
    expect(getSummary(about)).toBe('Hello');
  });

  it('returns the text to copy, also for a delete', () => {
    expect(getCopyText(item({ patch: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(getCopyText(item({ kind: 'delete', base: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(getCopyText(item({}))).toBe('Credit: Paper Boats');
  });

  it('copies the note of a request to connect', () => {
    const request = { kind: 'connect', type: 'person' } as const;
    expect(getCopyText(item({ ...request, patch: { name: 'Meera', message: 'We met in Pune' } }))).toBe(
      'We met in Pune',
    );
    expect(getCopyText(item({ ...request, patch: { name: 'Meera' } }))).toBe('Credit: Paper Boats');
  });

  it('labels the description of a profile as About me', () => {
    expect(getCopyText(item({ type: 'profile', patch: { description: 'Hello' } }))).toBe('About me: Hello');
  });
});
