import type { MediaItem } from '#db/queries.ts';

/** A photo as screens see it: the record, and the file while it is only here. */
export type Photo = MediaItem;
