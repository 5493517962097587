import { Copy, Trash2 } from 'lucide-react';
import type { WaitingItem } from '#db/views.ts';
import { Dots } from '#ui/Dots.tsx';
import { Menu } from '#ui/Menu.tsx';
import { hasCopyableText } from './resolutions.ts';
import { useResolutions } from './use-resolutions.ts';

/** The menu of an unsent change: Copy text, if it has any, and Discard. */
export function RowMenu({ item }: { item: WaitingItem }) {
  const actions = useResolutions();
  return (
    <Menu
      label={`More for ${item.title}`}
      trigger={<Dots />}
      triggerClass="tap -mt-2 -mr-3 text-muted"
      items={[
        ...(hasCopyableText(item) ? [{ label: 'Copy text', icon: Copy, onSelect: () => void actions.copy(item) }] : []),
        { label: 'Discard', icon: Trash2, danger: true, onSelect: () => void actions.discard(item) },
      ]}
    />
  );
}
