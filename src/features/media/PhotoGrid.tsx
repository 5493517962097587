import { Image as ImageIcon } from 'lucide-react';
import { startTransition, useEffect, useState } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { scheduleIdle } from '#ui/schedule-idle.ts';
import { MediaPreview } from './MediaPreview.tsx';
import type { ControlClasses, MediaLayout, MediaListProps } from './media-list-props.ts';
import { Tile } from './Tile.tsx';

const PREVIEW_COUNTS: Record<MediaLayout, number | undefined> = { card: 8, page: undefined };
const COLUMNS: Record<MediaLayout, string> = {
  card: 'grid-cols-2 min-[22.5rem]:grid-cols-3 sm:grid-cols-4',
  page: 'grid-cols-2 min-[22.5rem]:grid-cols-3 md:grid-cols-6 md:gap-3',
};
const CONTROL_CLASSES: ControlClasses = { bookmark: 'over absolute top-0 right-0', menu: 'over absolute top-0 left-0' };

/** Photos as 4:5 tiles. A card shows the first few and a button for the rest. */
export function PhotoGrid({ items, layout, onOpen, onMove, getControls }: MediaListProps) {
  return (
    <MediaPreview
      items={items}
      previewCount={PREVIEW_COUNTS[layout]}
      className={`grid gap-1.5 ${COLUMNS[layout]}`}
      // Layout containment: a change in one tile must not make the browser check all the others.
      rowClass="relative aspect-[4/5] rounded-xl [contain:size_layout_style]"
      ratio={4 / 5}
      onMove={onMove}
    >
      {(photo, isPassing) => (
        <PhotoTile photo={photo} isPassing={isPassing} onOpen={onOpen} getControls={getControls} />
      )}
    </MediaPreview>
  );
}

interface PhotoTileProps extends Pick<MediaListProps, 'onOpen' | 'getControls'> {
  photo: MediaItem;
  /** Rendered because the page was scrolled to it. */
  isPassing: boolean;
}

/** One photo. While the page scrolls, the picture renders first and its controls when the browser is idle. */
function PhotoTile({ photo, isPassing, onOpen, getControls }: PhotoTileProps) {
  const [hasControls, setHasControls] = useState(!isPassing);
  useEffect(() => {
    if (!hasControls) return scheduleIdle(() => startTransition(() => setHasControls(true)));
  }, [hasControls]);
  const { bookmark, menu, mark } = (hasControls && getControls?.(photo, CONTROL_CLASSES)) || {};
  return (
    <>
      <Tile
        item={photo}
        icon={ImageIcon}
        className="aspect-[4/5]"
        sizes="(width >= 48rem) 200px, 33vw"
        isNear={isPassing}
        pill={mark}
        onOpen={() => onOpen(photo.id)}
      />
      {menu}
      {bookmark}
    </>
  );
}
