import { expect, it } from 'vitest';
import { chooseOwnMedia } from '#shared/offline-media/prefetch-own-media.ts';

const MB = 1024 * 1024;
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T10:00:00Z`;
const medium = (name: string, created_at: string, size: number, media_type = 'audio') => ({
  path: `/storage/${name}`,
  media_type,
  created_at,
  size,
});
const names = (media: ReturnType<typeof medium>[]) => chooseOwnMedia(media).map(({ path }) => path);

it('chooses the newest recordings and films first, as many as the budget holds', () => {
  const media = [
    medium('old', day(1), 20 * MB),
    medium('new', day(4), 25 * MB, 'video'),
    medium('newer', day(5), 25 * MB),
    medium('small and old', day(2), 5 * MB),
  ];
  expect(names(media)).toEqual(['/storage/newer', '/storage/new', '/storage/small and old']);
});

it('leaves out pictures, links, and films that the worker would not store', () => {
  const link = { ...medium('', day(2), 0, 'video'), path: 'https://youtu.be/dQw4w9WgXcQ' };
  expect(names([medium('photo', day(1), MB, 'image'), medium('film', day(1), 31 * MB, 'video'), link])).toEqual([]);
});
