import { describe, expect, it } from 'vitest';
import { linkLines } from '#features/media/media-form.ts';

describe('links, one per line', () => {
  it('count each video once and leave out empty lines', () => {
    const text =
      'https://youtu.be/dQw4w9WgXcQ\n\n  https://www.youtube.com/watch?v=dQw4w9WgXcQ \nhttps://youtu.be/abcdefghijk';
    expect(linkLines(text)).toEqual({
      links: ['https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/abcdefghijk'],
      error: null,
    });
    expect(linkLines('')).toEqual({ links: [], error: null });
  });

  it('name every line that plays no video', () => {
    expect(linkLines('one\nhttps://youtu.be/dQw4w9WgXcQ\nthree').error).toBe(
      'Line 1 is not a YouTube link. Line 3 is not a YouTube link',
    );
  });
});
