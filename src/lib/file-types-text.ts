import type { MediaKind } from '#contract/media-kinds.ts';

/** 'MP4, AVI or MOV': what files of a kind may be. */
export function formatFileTypes({ types }: Pick<MediaKind, 'types'>): string {
  // Further names of a type that has one already stand without an ending.
  const endings = Object.values(types).flatMap(([ending]) => ending ?? []);
  const names = endings.map((ending) => ending.slice(1).toUpperCase());
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}

/** '10', '2.5': bytes in the megabytes of the sheet's words. */
export const megabytes = (bytes: number): string => String(Number((bytes / 1024 / 1024).toFixed(2)));
