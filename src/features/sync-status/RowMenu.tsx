import { Copy, Trash2 } from 'lucide-react';
import type { WaitingItem } from '#db/views.ts';
import { Dots } from '#ui/Dots.tsx';
import { Menu } from '#ui/Menu.tsx';
import { hasCopyableText } from './resolutions.ts';
import { useResolutions } from './use-resolutions.ts';

/** `…` of a waiting change: Copy text where it has some, Discard. */
export function RowMenu({ item }: { item: WaitingItem }) {
  const cures = useResolutions();
  return (
    <Menu
      label={`More for ${item.title}`}
      trigger={<Dots />}
      triggerClass="tap -mt-2 -mr-3 text-muted"
      items={[
        ...(hasCopyableText(item) ? [{ label: 'Copy text', icon: Copy, onSelect: () => void cures.copy(item) }] : []),
        { label: 'Discard', icon: Trash2, danger: true, onSelect: () => void cures.discard(item) },
      ]}
    />
  );
}
