import { describe, expect, it } from 'vitest';
import { experience } from '#contract/sections/experience.ts';
import { toChoices, compareVersions } from '#features/sync-status/compare-versions.ts';
import { getSummary, getCopyText } from '#features/sync-status/row-text.ts';
import type { WaitingItem } from '#db/views.ts';
import { outboxRow } from '../support/outbox-row.ts';

const theirs = { ...experience.example, link: null };
const mine = { ...theirs, details: 'Sulbha (lead)', end_month: 7 };

describe('both versions of a credit', () => {
  const pairs = compareVersions(experience, mine, theirs);

  it('stand line by line, the differing ones marked', () => {
    expect(pairs.filter((pair) => pair.isDifferent).map((pair) => [pair.label, pair.mine, pair.theirs])).toEqual([
      ['Role', 'Sulbha (lead)', 'Sulbha'],
      ['End', 'Jul 2024', 'May 2024'],
    ]);
  });

  it('leave out lines that are empty in both', () => {
    expect(pairs.some((pair) => pair.label === 'Link')).toBe(false);
  });

  it('become a choice per field, for lines of two fields both', () => {
    expect(toChoices(pairs, () => 'theirs')).toEqual({ details: 'theirs', end_month: 'theirs', end_year: 'theirs' });
    expect(toChoices(pairs, (pair) => (pair.label === 'Role' ? 'mine' : 'theirs')).details).toBe('mine');
  });
});

describe('a waiting change in words', () => {
  const item = (row: Partial<WaitingItem['row']>): WaitingItem => ({
    op: 'op',
    title: 'Credit: Paper Boats',
    state: 'phone',
    blocked: false,
    row: outboxRow({ baseVersion: 1, ...row }),
  });

  it('says what was written, without the title twice', () => {
    const patch = { experience_title: 'Paper Boats', details: 'Tara' };
    expect(getSummary(item({ kind: 'create', patch }))).toBe('Role Tara');
    expect(getSummary(item({ patch }))).toBe('Project name changed · Role Tara');
    expect(getSummary(item({ kind: 'delete' }))).toBe('To be deleted');
  });

  it('names what changed in a profile, and its values as people write them', () => {
    const profile = (patch: object) =>
      getSummary({ ...item({ type: 'profile', patch: { ...patch } }), title: 'Profile' });
    expect(profile({ per_day: 22000 })).toBe('Day rate ₹22,000');
    expect(profile({ per_day: 22000, dob: '1995-03-04' })).toBe('Day rate ₹22,000 · Date of birth 4 Mar 1995');
    expect(profile({ per_day: null })).toBe('Day rate removed');
    expect(profile({ status: 'inactive' })).toBe('Status Inactive');
    expect(profile({ profile_industry_id: '7' })).toBe('Industry changed');
  });

  it('names two of many changes and counts the others', () => {
    const patch = { details: 'Tara', start_month: 3, start_year: 2025, link: null, production_details: 'Lantern' };
    expect(getSummary(item({ patch }))).toBe('Role Tara · Director or production company Lantern and 2 more');
  });

  it('tells a month that changed alone with its year', () => {
    const under = { ...experience.example };
    expect(getSummary({ ...item({ patch: { end_month: 7 } }), under })).toBe('End Jul 2024');
  });

  it('does not repeat a title that says it all', () => {
    const policy = { ...item({ type: 'policy', patch: { name: 'No nights' } }), title: 'Policy: No nights' };
    expect(getSummary(policy)).toBe('');
    const about = { ...item({ type: 'profile', patch: { description: 'Hello' } }), title: 'About me' };
    expect(getSummary(about)).toBe('Hello');
  });

  it('can be copied, also when it deletes', () => {
    expect(getCopyText(item({ patch: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(getCopyText(item({ kind: 'delete', base: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(getCopyText(item({}))).toBe('Credit: Paper Boats');
  });

  it('copies the note that goes with a request to connect', () => {
    const request = { kind: 'connect', type: 'person' } as const;
    expect(getCopyText(item({ ...request, patch: { name: 'Meera', message: 'We met in Pune' } }))).toBe(
      'We met in Pune',
    );
    expect(getCopyText(item({ ...request, patch: { name: 'Meera' } }))).toBe('Credit: Paper Boats');
  });

  it('names about me by its words though it travels with the profile', () => {
    expect(getCopyText(item({ type: 'profile', patch: { description: 'Hello' } }))).toBe('About me: Hello');
  });
});
