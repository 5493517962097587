import type { MediaItem } from '#db/queries.ts';
import { shapeOfMedium } from '#lib/record-shape.ts';

/** Whether the server refused words of a medium that its form can mend; a refused file is another matter. */
export function isMendable(item: MediaItem): boolean {
  const wrong = Object.keys(item.error?.errors ?? {});
  const { fields = {} } = shapeOfMedium(item.body) ?? {};
  return item.reason === 'invalid' && item.op !== undefined && wrong.some((key) => key in fields);
}
