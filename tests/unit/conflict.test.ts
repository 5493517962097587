import { describe, expect, it } from 'vitest';
import { experience } from '#contract/sections/experience.ts';
import { choiceOf, pairsOf } from '#features/sync-status/conflict.ts';
import { gist, textOf } from '#features/sync-status/row-text.ts';
import type { WaitingItem } from '#db/views.ts';
import { outboxRow } from '../support/outbox-row.ts';

const theirs = { ...experience.example, link: null };
const mine = { ...theirs, details: 'Sulbha (lead)', end_month: 7 };

describe('both versions of a credit', () => {
  const pairs = pairsOf(experience, mine, theirs);

  it('stand line by line, the differing ones marked', () => {
    expect(pairs.filter((pair) => pair.differs).map((pair) => [pair.label, pair.mine, pair.theirs])).toEqual([
      ['Role', 'Sulbha (lead)', 'Sulbha'],
      ['End', 'Jul 2024', 'May 2024'],
    ]);
  });

  it('leave out lines that are empty in both', () => {
    expect(pairs.some((pair) => pair.label === 'Link')).toBe(false);
  });

  it('become a choice per field, for lines of two fields both', () => {
    expect(choiceOf(pairs, () => 'theirs')).toEqual({ details: 'theirs', end_month: 'theirs', end_year: 'theirs' });
    expect(choiceOf(pairs, (pair) => (pair.label === 'Role' ? 'mine' : 'theirs')).details).toBe('mine');
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
    expect(gist(item({ patch: { experience_title: 'Paper Boats', details: 'Tara' } }))).toBe('Tara');
    expect(gist(item({ kind: 'delete' }))).toBe('To be deleted');
  });

  it('can be copied, also when it deletes', () => {
    expect(textOf(item({ patch: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(textOf(item({ kind: 'delete', base: { details: 'Tara' } }))).toBe('Role: Tara');
    expect(textOf(item({}))).toBe('Credit: Paper Boats');
  });

  it('names about me by its words though it travels with the profile', () => {
    expect(textOf(item({ type: 'profile', patch: { description: 'Hello' } }))).toBe('About me: Hello');
  });
});
