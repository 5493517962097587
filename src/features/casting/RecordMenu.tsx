import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react';
import type { CastingItem } from '#db/casting.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Dots } from '#ui/Dots.tsx';
import { Menu } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { undoAction } from '#shared/undo-action.ts';
import { toast } from '#ui/Toast.tsx';

interface RecordMenuProps {
  item: CastingItem<'project' | 'role'>;
  type: 'project' | 'role';
  title: string;
  /** Whether somebody was asked for it: then it can be closed, but not deleted. */
  wasAsked: boolean;
  /** Where its list is. */
  listPath: string;
  onEdit: () => void;
}

/** What the owner can do with a project or a role. */
export function RecordMenu({ item, type, title, wasAsked, listPath, onEdit }: RecordMenuProps) {
  const { engine } = useAccount();
  const navigate = useNavigate();
  const isOpen = item.body.status === 'open';
  const setStatus = (status: 'open' | 'closed') => () => {
    const saved = engine.update(type, item.id, { status }, { status: item.body.status });
    void toastOnError(
      saved.then(() => toast({ text: `${title} ${status === 'open' ? 'is open again' : 'is closed'}` })),
    );
  };
  const remove = async () => {
    const { op } = await engine.remove(type, item.id);
    navigate(listPath, { replace: true });
    toast({
      text: `${title} deleted`,
      icon: Trash2,
      action: undoAction(engine, op, Trash2),
    });
  };
  return (
    <Menu
      label={`More for ${title}`}
      trigger={<Dots />}
      triggerClass="tap -mr-3 text-muted"
      items={[
        { label: 'Edit', icon: Pencil, onSelect: onEdit },
        isOpen
          ? { label: 'Close', icon: Archive, onSelect: setStatus('closed') }
          : { label: 'Open again', icon: ArchiveRestore, onSelect: setStatus('open') },
        ...(wasAsked
          ? []
          : [{ label: 'Delete', icon: Trash2, danger: true, onSelect: () => void toastOnError(remove()) }]),
      ]}
    />
  );
}
