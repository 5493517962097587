import { Image as ImageIcon } from 'lucide-react';
import { FewOf } from './FewOf.tsx';
import type { Room, ShelfProps } from './shelf.ts';
import { Tile } from './Tile.tsx';

const FEW: Record<Room, number | undefined> = { card: 8, page: undefined };
const COLUMNS: Record<Room, string> = {
  card: 'grid-cols-2 min-[22.5rem]:grid-cols-3 sm:grid-cols-4',
  page: 'grid-cols-2 min-[22.5rem]:grid-cols-3 md:grid-cols-6 md:gap-3',
};

/** 4:5 tiles; on a card the first few and a button for the rest. */
export function PhotoGrid({ items, room, onOpen, onMove, cornersOf }: ShelfProps) {
  return (
    <FewOf
      items={items}
      few={FEW[room]}
      className={`grid gap-1.5 ${COLUMNS[room]}`}
      rowClass="relative rounded-xl"
      onMove={onMove}
    >
      {(photo) => {
        const { bookmark, menu, mark } = cornersOf?.(photo) ?? {};
        return (
          <>
            <Tile
              item={photo}
              icon={ImageIcon}
              className="aspect-[4/5]"
              sizes="(width >= 48rem) 200px, 33vw"
              pill={mark}
              onOpen={() => onOpen(photo.id)}
            />
            {menu && <span className="absolute top-0 left-0">{menu}</span>}
            {bookmark && <span className="absolute top-0 right-0">{bookmark}</span>}
          </>
        );
      }}
    </FewOf>
  );
}
