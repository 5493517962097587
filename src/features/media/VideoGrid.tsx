import { Clapperboard, Play } from 'lucide-react';
import { FewOf } from './FewOf.tsx';
import { lengthText, nameOf, secondsOf, textOf } from './media-item.ts';
import type { Places, Room, ShelfProps } from './shelf.ts';
import { Tile } from './Tile.tsx';

const FEW: Record<Room, number | undefined> = { card: 4, page: undefined };
const COLUMNS: Record<Room, string> = {
  card: 'grid-cols-1 min-[22.5rem]:grid-cols-2',
  page: 'grid-cols-1 min-[22.5rem]:grid-cols-2 md:grid-cols-4 md:gap-3',
};
const PLACES: Places = { bookmark: 'over absolute top-0 right-0', menu: '-my-1.5 -mr-2.5 shrink-0' };

/** 16:9 tiles with their length, below each its name and 'category | role'. */
export function VideoGrid({ items, room, onOpen, onMove, cornersOf }: ShelfProps) {
  return (
    <FewOf
      items={items}
      few={FEW[room]}
      className={`grid gap-2 ${COLUMNS[room]}`}
      rowClass="relative min-w-0 rounded-xl"
      onMove={onMove}
    >
      {(video) => {
        const { bookmark, menu, mark } = cornersOf?.(video, PLACES) ?? {};
        const seconds = secondsOf(video);
        const facts = [textOf(video, 'category_type'), textOf(video, 'role')].filter(Boolean).join(' | ');
        return (
          <>
            <Tile
              item={video}
              icon={Clapperboard}
              className="relative aspect-video"
              sizes="(width >= 48rem) 300px, 50vw"
              onOpen={() => onOpen(video.id)}
              pill={
                <>
                  <span className="num inline-flex items-center gap-1 rounded-full bg-black/75 px-2 py-1 text-xs leading-none font-semibold text-white">
                    <Play className="size-3 fill-current" aria-hidden />
                    {seconds !== null && <span className="sr-only">Video of </span>}
                    {seconds === null ? 'Video' : lengthText(seconds)}
                  </span>
                  {mark}
                </>
              }
            />
            {bookmark}
            <div className="flex items-start gap-1 pt-1.5">
              <div className="min-w-0 grow leading-snug">
                <p className="font-semibold break-words">{nameOf(video)}</p>
                {facts && <p className="text-sm break-words text-muted">{facts}</p>}
              </div>
              {menu}
            </div>
          </>
        );
      }}
    </FewOf>
  );
}
