import type { MediaFile } from '#db/rows.ts';

/** Returns a stored picture of four bytes with the given fields replaced. */
export function mediaFile(overrides: Partial<MediaFile> & Pick<MediaFile, 'id'>): MediaFile {
  return {
    state: 'ready',
    name: `${overrides.id}.jpg`,
    type: 'image/jpeg',
    size: 4,
    sha256: overrides.id,
    chunks: 1,
    offset: 0,
    createdAt: 0,
    ...overrides,
  };
}
