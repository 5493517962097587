import {
  ChevronsLeft,
  ChevronsRight,
  CircleArrowDown,
  CircleX,
  Eye,
  EyeOff,
  Hand,
  Pencil,
  Star,
  Trash2,
} from 'lucide-react';
import type { MediaItem } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useOfflineToggle } from '#shared/offline-media/use-offline-toggle.ts';
import { useOfflineMedia } from '#shared/offline-media/use-offline-media.ts';
import { announce } from '#ui/announce.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { deleteMedium, reorderMedia } from './media-actions.ts';
import { getMediaName } from './media-item.ts';
import { moveId } from './plan-positions.ts';

interface MediaMenuProps {
  item: MediaItem;
  /** All media of its kind, in order. Empty while a filter is active, because media cannot be moved then. */
  siblings: readonly MediaItem[];
  onEdit: () => void;
  className?: string | undefined;
}

/** Labels by offline status. */
const PIN_LABELS: Readonly<Record<string, string>> = { away: 'Keep offline', kept: 'Remove from offline' };

/** The owner's menu for one medium. */
export function MediaMenu({ item, siblings, onEdit, className = '' }: MediaMenuProps) {
  const { engine, user } = useAccount();
  const name = getMediaName(item);
  const status = useOfflineMedia().getStatus(item.body);
  const toggleOffline = useOfflineToggle();
  const at = siblings.findIndex(({ id }) => id === item.id);
  const change = (changed: Record<string, unknown>) => void toastOnError(engine.update('media', item.id, changed));
  const move = (to: number) => {
    announce(`${name} is number ${to + 1} of ${siblings.length}`);
    void toastOnError(
      reorderMedia(
        engine,
        siblings,
        moveId(
          siblings.map(({ id }) => id),
          item.id,
          to,
        ),
      ),
    );
  };
  const isHidden = item.body.is_hidden === true;
  const isHiddenByDesk = user.hidden_by_desk?.includes(`media:${item.id}`);
  const items: MenuItem[] = [
    { label: 'Edit', icon: Pencil, onSelect: onEdit },
    ...(item.body.media_type === 'image' && item.body.is_primary !== true
      ? [{ label: 'Make primary photo', icon: Star, onSelect: () => change({ is_primary: true }) }]
      : []),
    isHiddenByDesk
      ? { label: 'Why is it hidden?', icon: Hand, to: '/decisions' }
      : isHidden
        ? { label: 'Show', icon: Eye, onSelect: () => change({ is_hidden: false }) }
        : { label: 'Hide', icon: EyeOff, onSelect: () => change({ is_hidden: true }) },
    ...(at > 0 ? [{ label: 'Move earlier', icon: ChevronsLeft, onSelect: () => move(at - 1) }] : []),
    ...(at >= 0 && at < siblings.length - 1
      ? [{ label: 'Move later', icon: ChevronsRight, onSelect: () => move(at + 1) }]
      : []),
    ...(status === 'none'
      ? []
      : [
          {
            label: PIN_LABELS[status] ?? 'Stop downloading',
            icon: status === 'away' ? CircleArrowDown : CircleX,
            onSelect: () => toggleOffline({ medium: item.body, name, status }),
          },
        ]),
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => void toastOnError(deleteMedium(engine, item)) },
  ];
  return (
    <Menu
      label={`More for ${name}`}
      trigger={<Dots />}
      triggerClass={`tap ${className}`}
      items={items}
      head={item.body.media_type === 'youtube' && <p className="px-3 pt-2 text-sm text-muted">Only plays online.</p>}
    />
  );
}
