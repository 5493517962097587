import type { AnyRow } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import type { Actions } from '#sync/actions.ts';

type Refusable = Pick<Item, 'op' | 'reason' | 'error'>;

/** The server's errors by field, if it refused the last change of an item for its values. */
export function getRefusedErrors(item: Refusable | undefined): Record<string, string[]> | undefined {
  return item?.reason === 'invalid' && item.op !== undefined ? item.error?.errors : undefined;
}

/** The fields of a record that a form changes. */
export interface Edits {
  changed: AnyRow;
  /** What the person saw in the form's fields when they wrote, null for nothing. */
  seen: AnyRow;
}

/**
 * Queues the changed fields of a record: in place of a change that the server refused for its values, if there is one.
 * @param item undefined if nothing is stored of the record yet
 */
export async function saveEdits(
  engine: Pick<Actions, 'retryWithEdits' | 'update'>,
  { type, id, item }: { type: string; id: string; item: Refusable | undefined },
  { changed, seen }: Edits,
): Promise<void> {
  if (item?.reason === 'invalid' && item.op !== undefined)
    await engine.retryWithEdits({ op: item.op, type, id }, changed, seen);
  else if (Object.keys(changed).length > 0) await engine.update(type, id, changed, seen);
}
