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
});
