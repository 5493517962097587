import { describe, expect, it } from 'vitest';
import { defineSection, month, text, year } from '#contract/section.ts';
import { experience } from '#contract/sections/experience.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { skill } from '#contract/sections/skill.ts';
import { getRecordLines } from '#features/sync-status/record-lines.ts';
import { getRecordShape } from '#features/sync-status/record-shape.ts';
import { formatFields, getLayout, plainText } from '#lib/section-layout.ts';
import { fillRows } from '#lib/fill-rows.ts';

describe('the layout of a section', () => {
  it('pairs a month with its year', () => {
    expect(getLayout(experience).filter((part) => part.kind === 'pair')).toEqual([
      { kind: 'pair', label: 'Start', month: 'start_month', year: 'start_year' },
      { kind: 'pair', label: 'End', month: 'end_month', year: 'end_year' },
    ]);
  });

  it.each(SECTIONS.map((section) => [section.key, section] as const))('shows every field of %s once', (_, section) => {
    const keys = getLayout(section).flatMap((part) => (part.kind === 'pair' ? [part.month, part.year] : [part.key]));
    expect(keys).toEqual(Object.keys(section.fields));
  });

  it('labels an unprefixed month and year When, and pairs them only in that order', () => {
    const words = { missing: 'Add it' };
    const award = defineSection({
      key: 'prize',
      title: 'Prizes',
      noun: 'prize',
      emptyText: '',
      cardinality: 'many',
      fields: { name: text('Prize', 10, words), year: year('Year', words), month: month('Month', words) },
      card: (row) => ({ title: row.name }),
      savedText: '',
      endpoints: { list: { method: 'GET', path: '/' }, create: null, update: null, remove: null },
      example: { name: 'First', year: 2020, month: 1 },
    });
    expect(getLayout(award).map((part) => part.kind)).toEqual(['field', 'field', 'field']);
    const { name, month: at, year: in_ } = award.fields;
    expect(getLayout({ fields: { name: name!, month: at!, year: in_! } })[1]).toEqual({
      kind: 'pair',
      label: 'When',
      month: 'month',
      year: 'year',
    });
  });
});

describe('the lines of a record', () => {
  it('lists the fields of a credit', () => {
    const lines = formatFields(experience, { ...experience.example, link: null });
    expect(plainText(lines)).toBe(
      [
        'Production type: Theatre',
        'Project name: Chowk No. 7',
        'Role: Sulbha',
        'Director or production company: Rangvedh Company',
        'Start: Feb 2024',
        'End: May 2024',
      ].join('\n'),
    );
  });

  it('shows the label of a level instead of its number', () => {
    expect(plainText(formatFields(skill, skill.example))).toBe('Skill: Kathak\nProficiency: Expert');
  });

  it('formats the fields of a profile', () => {
    const facts = { stage_name: 'Meera', per_day: 118000, dob: '1995-03-04', status: 'inactive', title: null };
    expect(plainText(getRecordLines(undefined, facts))).toBe(
      'Stage name: Meera\nDay rate: ₹1,18,000\nDate of birth: 4 Mar 1995\nStatus: Inactive',
    );
  });

  it('lists the fields of a media kind, and the YouTube link until the item is sent', () => {
    const stills = { media_type: 'image', name: 'Stills', keywords: null, role: 'not of photos' };
    expect(plainText(getRecordLines(getRecordShape('media', stills), stills))).toBe('Name: Stills');
    const reel = {
      media_type: 'video',
      name: 'Reel',
      role: 'Ira',
      month_year: '2025-05',
      youtube_url: 'https://youtu.be/abc',
    };
    expect(plainText(getRecordLines(getRecordShape('media', reel), reel))).toBe(
      'YouTube link: https://youtu.be/abc\nName: Reel\nRole: Ira\nMonth and year: May 2025',
    );
    const saved = { media_type: 'youtube', name: 'Reel', role: 'Ira' };
    expect(plainText(getRecordLines(getRecordShape('media', saved), saved))).toBe('Name: Reel\nRole: Ira');
  });
});

describe('the two-column grid', () => {
  it('pairs short cards and gives a single one the full width', () => {
    expect(fillRows([false, false, true, false])).toEqual([false, false, true, true]);
    expect(fillRows([false, true, false, false])).toEqual([true, true, false, false]);
    expect(fillRows([])).toEqual([]);
  });
});
