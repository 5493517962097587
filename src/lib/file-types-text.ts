import type { MediaKind } from '#contract/media-kinds.ts';

/** 'MP4, AVI or MOV': the accepted file types of a kind. */
export function formatFileTypes({ types }: Pick<MediaKind, 'types'>): string {
  // Aliases of a type have no extension, so each type is listed once.
  const endings = Object.values(types).flatMap(([ending]) => ending ?? []);
  const names = endings.map((ending) => ending.slice(1).toUpperCase());
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}

/** '10', '2.5': bytes as megabytes, with at most two decimals. */
export const megabytes = (bytes: number): string => String(Number((bytes / 1024 / 1024).toFixed(2)));
