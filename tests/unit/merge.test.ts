import { describe, expect, test } from 'vitest';
import { readableRow } from '#db/readable.ts';
import { getMergeBase, merge3 } from '#sync/conflict/merge.ts';
import { outboxRow } from '../support/outbox-row.ts';

describe('three-way merge', () => {
  test('keeps both sides when they changed different fields', () => {
    const merged = merge3({ title: 'Actor' }, { title: 'Stage actor' }, { title: 'Actor', location: 'Pune' });
    expect(merged).toEqual({ patch: { title: 'Stage actor' }, conflicts: [] });
  });

  test('asks the user when both changed the same field', () => {
    const merged = merge3({ title: 'Actor' }, { title: 'Stage actor' }, { title: 'Film actor' });
    expect(merged.conflicts).toEqual(['title']);
  });

  test('asks the user when the base is unknown and theirs is filled', () => {
    expect(merge3({}, { description: 'Mine' }, { description: 'Theirs' }).conflicts).toEqual(['description']);
  });

  test('does not ask when the base is unknown and theirs is empty', () => {
    expect(merge3({}, { description: 'Mine' }, { description: null })).toEqual({
      patch: { description: 'Mine' },
      conflicts: [],
    });
  });
});

describe('a value that this device gave up before', () => {
  const edit = { base: { title: 'Actor' }, givenUp: [{ title: 'Stage actor' }, { title: 'Film actor', city: 'Pune' }] };
  test.each(['Stage actor', 'Film actor'])('does not count as another device’s edit: %s', (title) => {
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
