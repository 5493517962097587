import { Pencil, Trash2 } from 'lucide-react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Dots } from '#ui/Dots.tsx';
import { Menu } from '#ui/Menu.tsx';

interface RowMenuProps {
  section: Section;
  item: Item;
  onEdit: () => void;
}

/** The owner's actions on one row. */
export function RowMenu({ section, item, onEdit }: RowMenuProps) {
  const { engine } = useAccount();
  const { title } = section.card(item.body);
  const remove = async () => (await import('./delete-item.ts')).deleteItem(engine, section, item);
  return (
    <Menu
      label={`More for ${title}`}
      trigger={<Dots />}
      triggerClass="tap -mr-3 -my-1 self-center text-muted"
      items={[
        ...(section.endpoints.update ? [{ label: 'Edit', icon: Pencil, onSelect: onEdit }] : []),
        ...(section.endpoints.remove
          ? [{ label: 'Delete', icon: Trash2, danger: true, onSelect: () => void toastOnError(remove()) }]
          : []),
      ]}
    />
  );
}
