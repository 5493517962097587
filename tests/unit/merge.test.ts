import { describe, expect, test } from 'vitest';
import { readableRow } from '#db/readable.ts';
import { getMergeBase, merge3 } from '#sync/conflict/merge.ts';
import { outboxRow } from '../support/outbox-row.ts';

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

describe('what was given up here before', () => {
  const edit = { base: { title: 'Actor' }, givenUp: [{ title: 'Stage actor' }, { title: 'Film actor', city: 'Pune' }] };
  test.each(['Stage actor', 'Film actor'])('is nobody else’s edit, however often it was written anew: %s', (title) => {
    expect(getMergeBase(edit, { title })).toEqual({ title });
  });
  test('leaves what others wrote to be compared', () => {
    expect(getMergeBase(edit, { title: 'Dancer', city: 'Mumbai' })).toEqual({ title: 'Actor' });
  });
  test('is known again in a row that was written when there could be but one', () => {
    const row = outboxRow({ givenUp: { title: 'Stage actor' } as never });
    expect(readableRow(row)).toMatchObject({ v: 1, givenUp: [{ title: 'Stage actor' }] });
  });
});
