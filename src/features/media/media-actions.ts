import type { Engine } from '#sync/engine.ts';
import type { MediaItem } from '#db/queries.ts';
import { confirm } from '#ui/confirm.tsx';
import { placesFor } from './order.ts';

/** Deletes for good, once the person said so twice. Answers whether they did. */
export async function deleteMedium(engine: Engine, item: MediaItem): Promise<boolean> {
  const isSure = await confirm({
    title: 'Are you sure you want to delete this media?',
    yes: 'Yes I Know!',
    danger: true,
  });
  if (isSure) await engine.remove('media', item.id);
  return isSure;
}

/** Brings the items of one kind into an order. @param wanted their ids */
export async function putInOrder(
  engine: Engine,
  items: readonly MediaItem[],
  wanted: readonly string[],
): Promise<void> {
  const placed = items.map(({ id, body }) => ({
    id,
    position: typeof body.position === 'number' ? body.position : null,
  }));
  for (const { id, position } of placesFor(placed, wanted)) await engine.update('media', id, { position });
}
