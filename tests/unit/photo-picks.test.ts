import { describe, expect, it } from 'vitest';
import { canSave, judge, nameFrom, roomFor, type PickedFile } from '#features/media/picks.ts';

describe('picked photos', () => {
  it('are taken up to 10 MB as JPEG or PNG', () => {
    const MB = 1024 * 1024;
    expect(judge({ type: 'image/jpeg', size: 10 * MB })).toBe('storing');
    expect(judge({ type: 'image/png', size: 10 * MB + 1 })).toBe('toobig');
    expect(judge({ type: 'image/webp', size: 1 })).toBe('wrongtype');
    expect(judge({ type: '', size: 1 })).toBe('wrongtype');
  });

  it('are at most ten at a time, the rest is counted', () => {
    expect(roomFor(0, 12)).toEqual({ take: 10, leave: 2 });
    expect(roomFor(9, 1)).toEqual({ take: 1, leave: 0 });
    expect(roomFor(10, 3)).toEqual({ take: 0, leave: 3 });
  });

  it('can be saved as soon as nothing is being stored, whatever else is wrong', () => {
    const file = (state: PickedFile['state']): PickedFile => ({
      key: state,
      name: 'a.jpg',
      sizeBytes: 1,
      state,
      storedBytes: 0,
    });
    expect(canSave([file('stored'), file('storing')])).toBe(false);
    expect(canSave([file('stored'), file('toobig'), file('wrongtype'), file('trouble')])).toBe(true);
  });

  it('are named after the first file', () => {
    expect(nameFrom('Headshot_warm_light.jpeg')).toBe('Headshot warm light');
    expect(nameFrom('plain')).toBe('plain');
  });
});
