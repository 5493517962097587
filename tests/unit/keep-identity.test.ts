import { describe, expect, it } from 'vitest';
import { keepIdentity } from '#db/keep-identity.ts';
import type { Item } from '#db/views.ts';

const item = (key: string, body: Record<string, unknown>, over: Partial<Item> = {}): Item => ({
  key,
  id: key,
  serverId: key,
  type: 'skill',
  parent: '1',
  body,
  state: 'saved',
  ...over,
});
const skills = () => [item('1', { name: 'Kathak', level: 3 }), item('2', { name: 'Fencing', level: 1 })];
const lists = (skill: Item[], award: Item[] = []) => new Map(Object.entries({ skill, award }));

describe('answers of a live query', () => {
  it('keep the same items and lists when nothing has changed', () => {
    const before = lists(skills(), [item('9', { award_name: 'Best debut' })]);
    const now = keepIdentity(before, lists(skills(), [item('9', { award_name: 'Best debut' })]));
    expect(now.get('skill')).toBe(before.get('skill'));
    expect(now.get('award')).toBe(before.get('award'));
  });

  it('replace one list and one item when one row has changed', () => {
    const before = lists(skills());
    const [kathak, fencing] = skills();
    const now = keepIdentity(before, lists([{ ...kathak!, state: 'phone', op: 'a' }, fencing!]));
    expect(now.get('skill')).not.toBe(before.get('skill'));
    expect(now.get('skill')?.[0]).toMatchObject({ key: '1', state: 'phone', op: 'a' });
    expect(now.get('skill')?.[1]).toBe(before.get('skill')?.[1]);
    expect(now.get('award')).toBe(before.get('award'));
  });

  it('tell a new order, a row less and a row more from the list as it was', () => {
    const before = lists(skills());
    const [kathak, fencing] = skills();
    const turned = keepIdentity(before, lists([fencing!, kathak!])).get('skill');
    expect(turned).toEqual([fencing, kathak]);
    expect(turned?.[1]).toBe(before.get('skill')?.[0]);
    expect(keepIdentity(before, lists([kathak!])).get('skill')).toEqual([kathak]);
    const riding = item('3', { name: 'Riding', level: 2 });
    expect(keepIdentity(before, lists([riding, kathak!, fencing!])).get('skill')).toEqual([riding, kathak, fencing]);
  });

  it('know nothing of sections that are new', () => {
    const found = lists(skills());
    expect(keepIdentity(new Map(), found)).toEqual(found);
  });

  it('keep what did not change inside of an item that did', () => {
    const before = {
      title: 'Role',
      requests: [{ key: 'r', body: { pages: [1, 2] }, mark: { grade: null, text: '' } }],
    };
    const now = keepIdentity(before, {
      title: 'Role',
      requests: [{ key: 'r', body: { pages: [1, 2] }, mark: { grade: 'A', text: '' } }],
    });
    expect(now.requests[0]!.mark).toEqual({ grade: 'A', text: '' });
    expect(now.requests[0]!.body).toBe(before.requests[0]!.body);
    expect(keepIdentity(before, structuredClone(before))).toBe(before);
  });

  it('tell a field that is gone, one that is new and one that is undefined from each other', () => {
    const before = { name: 'Kathak', note: undefined };
    expect(keepIdentity(before, { name: 'Kathak' })).not.toHaveProperty('note');
    expect(Object.keys(keepIdentity(before, { name: 'Kathak', level: undefined }))).toEqual(['name', 'level']);
    expect(keepIdentity({ name: 'Kathak' }, { name: 'Kathak', note: undefined })).toHaveProperty('note');
  });

  it('replace what has another type', () => {
    expect(keepIdentity({ media: [1] }, { media: { 0: 1 } })).toEqual({ media: { 0: 1 } });
    expect(keepIdentity({ at: 1 }, { at: [1] })).toEqual({ at: [1] });
    const photo = new Blob(['a']);
    expect(keepIdentity({ photo: new Blob(['b']) }, { photo }).photo).toBe(photo);
    expect(keepIdentity(null, { name: 'Kathak' })).toEqual({ name: 'Kathak' });
  });
});
