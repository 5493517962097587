import type { mediaItems } from '#db/queries.ts';

/** A photo as screens see it: the record, and the file while it is only here. */
export type Photo = Awaited<ReturnType<typeof mediaItems>>[number];

/** What a photo is called, for people and readers. */
export function nameOf(photo: Pick<Photo, 'body'>): string {
  const { name } = photo.body;
  return typeof name === 'string' && name.trim() !== '' ? name : 'Photo without a name';
}
