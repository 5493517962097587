import { mediaItems } from '#db/queries.ts';
import type { WaitingItem } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { EditMediaSheet } from './EditMediaSheet.tsx';

/** The form that corrects a medium that the server refused; opened from Waiting to send. */
export function FixMedia({ waiting, onClose }: { waiting: WaitingItem; onClose: () => void }) {
  const { parent, target } = waiting.row;
  const items = useQuery(async (db) => (parent === null ? [] : mediaItems(db, parent)), [parent]);
  const item = items?.find(({ id }) => id === target);
  return item && <EditMediaSheet key={item.id} item={item} onClose={onClose} />;
}
