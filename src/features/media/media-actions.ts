import type { Engine } from '#sync/engine.ts';
import type { MediaItem } from '#db/queries.ts';
import { StorageError } from '#sync/storage-error.ts';
import { confirm } from '#ui/confirm.tsx';
import { findNextRow } from '#ui/pass-focus.ts';
import { toast } from '#ui/Toast.tsx';
import { planPositions } from './plan-positions.ts';

/** Shown if the deletion could not be stored on this device. */
const DELETE_FAILED = 'Failed to delete media. Please try again.';

/** Asks for confirmation and deletes a medium. Resolves to whether it was deleted; shows a toast on failure. */
export async function deleteMedium(engine: Engine, item: Pick<MediaItem, 'id'>): Promise<boolean> {
  const passFocus = findNextRow();
  const isSure = await confirm({
    title: 'Are you sure you want to delete this media?',
    yes: 'Yes I Know!',
    danger: true,
  });
  if (!isSure) return false;
  try {
    await engine.remove('media', item.id);
    passFocus();
    return true;
  } catch (error) {
    toast({ text: DELETE_FAILED });
    if (!(error instanceof StorageError)) reportError(error);
    return false;
  }
}

/**
 * Reorders the items of one kind.
 * @param wanted their ids in the new order
 */
export async function reorderMedia(
  engine: Engine,
  items: readonly MediaItem[],
  wanted: readonly string[],
): Promise<void> {
  const placed = items.map(({ id, body }) => ({
    id,
    position: typeof body.position === 'number' ? body.position : null,
  }));
  for (const { id, position } of planPositions(placed, wanted)) await engine.update('media', id, { position });
}
