import type { MediaItem } from '#db/queries.ts';
import { getMediumShape } from '#lib/record-shape.ts';

/**
 * Whether the server refused details of a medium that its form can correct. A refused file cannot be corrected there.
 */
export function isFixable(item: MediaItem): boolean {
  const invalidKeys = Object.keys(item.error?.errors ?? {});
  const { fields = {} } = getMediumShape(item.body) ?? {};
  return item.reason === 'invalid' && item.op !== undefined && invalidKeys.some((key) => key in fields);
}
