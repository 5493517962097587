import { Image as ImageIcon } from 'lucide-react';
import type { MediaItem } from '#db/queries.ts';
import { FewOf } from './FewOf.tsx';
import type { Room, ShelfProps } from './shelf.ts';
import { Tile } from './Tile.tsx';
import { useNear } from './use-near.ts';

const FEW: Record<Room, number | undefined> = { card: 8, page: undefined };
const COLUMNS: Record<Room, string> = {
  card: 'grid-cols-2 min-[22.5rem]:grid-cols-3 sm:grid-cols-4',
  page: 'grid-cols-2 min-[22.5rem]:grid-cols-3 md:grid-cols-6 md:gap-3',
};
/** Pictures that the first window may hold; of a list much longer only what is near is drawn. */
const FIRST = 36;

/** 4:5 tiles; on a card the first few and a button for the rest. */
export function PhotoGrid({ items, room, onOpen, onMove, cornersOf }: ShelfProps) {
  const isLong = items.length > 2 * FIRST;
  return (
    <FewOf
      items={items}
      few={FEW[room]}
      className={`grid gap-1.5 ${COLUMNS[room]}`}
      rowClass="rounded-xl"
      onMove={onMove}
    >
      {(photo, at) => (
        <PhotoTile photo={photo} isLong={isLong} isFirst={at < FIRST} onOpen={onOpen} cornersOf={cornersOf} />
      )}
    </FewOf>
  );
}

interface PhotoTileProps extends Pick<ShelfProps, 'onOpen' | 'cornersOf'> {
  photo: MediaItem;
  isLong: boolean;
  isFirst: boolean;
}

/** Far from the screen a button with a name and nothing to draw: hundreds of whole tiles would make scrolling halt. */
function PhotoTile({ photo, isLong, isFirst, onOpen, cornersOf }: PhotoTileProps) {
  const { ref, isNear } = useNear<HTMLDivElement>(isLong, isFirst);
  const { bookmark, menu, mark } = (isNear && cornersOf?.(photo)) || {};
  return (
    <div ref={ref} className={`aspect-[4/5] ${isNear ? 'relative [contain:size_layout_style]' : ''}`}>
      <Tile
        item={photo}
        icon={ImageIcon}
        className="aspect-[4/5]"
        sizes="(width >= 48rem) 200px, 33vw"
        isFar={!isNear}
        pill={mark}
        onOpen={() => onOpen(photo.id)}
      />
      {menu && <span className="absolute top-0 left-0">{menu}</span>}
      {bookmark && <span className="absolute top-0 right-0">{bookmark}</span>}
    </div>
  );
}
