import { describe, expect, it } from 'vitest';
import type { Audition } from '#contract/records/casting.ts';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { boundedText } from '#contract/schema.ts';
import { getTakeLabel, getTakeName } from '#shared/casting/take-names.ts';

const audition = (naming: string | null) =>
  ({ naming, role: { name: 'Naseem' }, project: { title: 'The Salt Road' } }) as Pick<
    Audition,
    'naming' | 'role' | 'project'
  >;
const name = (naming: string | null, file = { name: 'IMG_4471.MOV', title: 'IMG 4471' }, index = 0) =>
  getTakeName(audition(naming), 'Meera Kulkarni', file, index);

describe('the name of a take', () => {
  it.each<[string | null, string]>([
    [null, 'Naseem_MeeraKulkarni_Take1.mov'],
    ['', 'Naseem_MeeraKulkarni_Take1.mov'],
    ['Role_Name_Take', 'Naseem_MeeraKulkarni_Take1.mov'],
    ['project-ROLE-take', 'TheSaltRoad-Naseem-Take1.mov'],
    ['Name Take1', 'MeeraKulkarni Take1.mov'],
    ['SaltRoad_Name', 'SaltRoad_MeeraKulkarni.mov'],
  ])('by the rule %j is %s', (naming, expected) => {
    expect(name(naming)).toBe(expected);
  });

  it('counts takes, and calls a slate by its name', () => {
    expect(name(null, { name: 'b.mp4', title: 'b' }, 1)).toBe('Naseem_MeeraKulkarni_Take2.mp4');
    expect(name(null, { name: 'c.mp4', title: 'Slate' }, 2)).toBe('Naseem_MeeraKulkarni_Slate.mp4');
  });

  it('keeps the number that a take has in the booth', () => {
    expect(name(null, { name: 'Take 4.mp4', title: 'Take 4' }, 0)).toBe('Naseem_MeeraKulkarni_Take4.mp4');
    expect(name(null, { name: 'a.mp4', title: 'Take my hand' }, 0)).toBe('Naseem_MeeraKulkarni_Take1.mp4');
  });

  it('keeps letters of other scripts, and is never too long', () => {
    const other = { ...audition(null), role: { name: 'नसीम बानो' } } as Pick<Audition, 'naming' | 'role' | 'project'>;
    expect(getTakeName(other, 'मीरा', { name: 'a.mp4', title: 'a' }, 0)).toBe('नसीमबानो_मीरा_Take1.mp4');
    expect([...getTakeName(audition('x'.repeat(300)), 'M', { name: 'a.mp4', title: 'a' }, 0)]).toHaveLength(160);
  });
});

describe('the label of a take', () => {
  it('is the title, or none', () => {
    expect(getTakeLabel(' Take 2 ')).toBe('Take 2');
    expect(getTakeLabel('  ')).toBeNull();
  });

  it('is never cut within a character, so that the server takes it', () => {
    const label = getTakeLabel(`${'x'.repeat(TAPE_LIMITS.takeLabel - 1)}🎬🎬`);
    expect(label).toBe(`${'x'.repeat(TAPE_LIMITS.takeLabel - 1)}🎬`);
    expect(boundedText(TAPE_LIMITS.takeLabel).safeParse(label).success).toBe(true);
  });
});
