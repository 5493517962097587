import { Clapperboard, Play } from 'lucide-react';
import { formatDuration } from '#lib/dates.ts';
import { MediaPreview } from './MediaPreview.tsx';
import { getMediaName, getDurationSeconds, getFieldText } from './media-item.ts';
import type { ControlClasses, MediaLayout, MediaListProps } from './media-list-props.ts';
import { Tile } from './Tile.tsx';

const PREVIEW_COUNTS: Record<MediaLayout, number | undefined> = { card: 4, page: undefined };
const COLUMNS: Record<MediaLayout, string> = {
  card: 'grid-cols-1 min-[22.5rem]:grid-cols-2',
  page: 'grid-cols-1 min-[22.5rem]:grid-cols-2 md:grid-cols-4 md:gap-3',
};
const CONTROL_CLASSES: ControlClasses = { bookmark: 'over absolute top-0 right-0', menu: '-my-1.5 -mr-2.5 shrink-0' };

/** Videos as 16:9 tiles with their length; below each its name and 'category | role'. */
export function VideoGrid({ items, layout, onOpen, onMove, getControls }: MediaListProps) {
  return (
    <MediaPreview
      items={items}
      previewCount={PREVIEW_COUNTS[layout]}
      className={`grid gap-2 ${COLUMNS[layout]}`}
      rowClass="relative min-w-0 rounded-xl"
      onMove={onMove}
    >
      {(video) => {
        const { bookmark, menu, mark } = getControls?.(video, CONTROL_CLASSES) ?? {};
        const seconds = getDurationSeconds(video);
        const facts = [getFieldText(video, 'category_type'), getFieldText(video, 'role')].filter(Boolean).join(' | ');
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
                    {seconds === null ? 'Video' : formatDuration(seconds)}
                  </span>
                  {mark}
                </>
              }
            />
            {bookmark}
            <div className="flex items-start gap-1 pt-1.5">
              <div className="min-w-0 grow leading-snug">
                <p className="font-semibold break-words">{getMediaName(video)}</p>
                {facts && <p className="text-sm break-words text-muted">{facts}</p>}
              </div>
              {menu}
            </div>
          </>
        );
      }}
    </MediaPreview>
  );
}
