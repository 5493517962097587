import { describe, expect, test } from 'vitest';
import { merge3 } from '#sync/merge.ts';

describe('three-way merge', () => {
  test('keeps both sides where they changed different fields', () => {
    const merged = merge3({ title: 'Actor' }, { title: 'Stage actor' }, { title: 'Actor', location: 'Pune' });
    expect(merged).toEqual({ patch: { title: 'Stage actor' }, conflicts: [] });
  });

  test('asks where both changed one field', () => {
    const merged = merge3({ title: 'Actor' }, { title: 'Stage actor' }, { title: 'Film actor' });
    expect(merged.conflicts).toEqual(['title']);
  });

  test('asks where the value before the edit is unknown and theirs says something', () => {
    expect(merge3({}, { description: 'Mine' }, { description: 'Theirs' }).conflicts).toEqual(['description']);
  });

  test('asks nothing where the value before the edit is unknown and theirs is empty', () => {
    expect(merge3({}, { description: 'Mine' }, { description: null })).toEqual({
      patch: { description: 'Mine' },
      conflicts: [],
    });
  });
});
