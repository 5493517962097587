import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from '#ui/router.tsx';
import type { MediaItem } from '#db/queries.ts';
import { IconButton } from '#ui/Button.tsx';
import { DarkDialog } from '#ui/DarkDialog.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { stop } from './audio-player.ts';
import { getMediaName, getTab, getFieldText } from './media-item.ts';
import { PhotoViewer } from './PhotoViewer.tsx';
import { VideoPlayer } from './VideoPlayer.tsx';
import { YouTubePlayer } from './YouTubePlayer.tsx';

interface LightboxProps {
  /** All media. The arrows step through those of the same kind, in this order. */
  items: readonly MediaItem[];
  /** Id of the medium shown first. */
  openId: string;
  /** Returns the buttons of a medium. */
  getButtons?: ((item: MediaItem) => ReactNode) | undefined;
  onClose: () => void;
}

/** Elements that handle arrow keys themselves. */
const ARROW_KEY_ELEMENTS = 'video, input, textarea, select, [role=menu]';

/**
 * A full-screen viewer for photos and videos. Arrow keys, swipes and buttons navigate; Esc closes and refocuses the
 * tile.
 */
export function Lightbox({ items: all, openId, getButtons, onClose }: LightboxProps) {
  // Kept in state, not in the URL, so that Back closes the viewer instead of stepping through viewed media.
  const [currentId, setCurrentId] = useState(openId);
  const opened = all.find((each) => each.id === openId);
  const items = all.filter((each) => getTab(each)?.key === (opened && getTab(opened)?.key));
  const at = items.findIndex((each) => each.id === currentId);
  const item = items[at];
  // Stops a playing recording.
  useEffect(stop, []);

  const go = (step: 1 | -1) => {
    const next = items[at + step];
    if (next) setCurrentId(next.id);
  };
  const handleKey = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).closest(ARROW_KEY_ELEMENTS)) return;
    if (event.key === 'ArrowRight') go(1);
    else if (event.key === 'ArrowLeft') go(-1);
  };
  const noun = item ? (getTab(item)?.key === 'video' ? 'Video' : 'Photo') : 'Media';
  return (
    <DarkDialog
      label={item ? `${noun} ${at + 1} of ${items.length}: ${getMediaName(item)}` : 'Media'}
      closeLabel={`Close ${noun.toLowerCase()}`}
      head={
        <>
          <p className="grow truncate px-2.5 font-semibold">{item ? getMediaName(item) : 'This is no longer here'}</p>
          {item?.state === 'needs' ? (
            <Link to="/waiting" className="tap" aria-label={`${getMediaName(item)} needs you`}>
              <StatePill state="needs" />
            </Link>
          ) : (
            item && <StatePill state={item.state} />
          )}
          {item && getButtons?.(item)}
        </>
      }
      foot={
        <p className="num pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-center text-sm text-white/80">
          {at + 1} of {items.length}
        </p>
      }
      onKeyDown={handleKey}
      onClose={onClose}
      // Needed if the viewer was opened by URL, or if a filter has removed the tile.
      backTo={`[data-media="${CSS.escape(openId)}"]`}
    >
      {item && <Viewer key={item.key} item={item} onStep={go} />}
      {at > 0 && (
        <IconButton
          label={`Previous ${noun.toLowerCase()}`}
          icon={ChevronLeft}
          className="absolute left-1 rounded-full bg-black/60"
          onClick={() => go(-1)}
        />
      )}
      {at >= 0 && at < items.length - 1 && (
        <IconButton
          label={`Next ${noun.toLowerCase()}`}
          icon={ChevronRight}
          className="absolute right-1 rounded-full bg-black/60"
          onClick={() => go(1)}
        />
      )}
    </DarkDialog>
  );
}

function Viewer({ item, onStep }: { item: MediaItem; onStep: (step: 1 | -1) => void }) {
  if (getTab(item)?.key !== 'video') return <PhotoViewer photo={item} onStep={onStep} />;
  const youtube =
    getFieldText(item, 'youtube_url') || (item.body.media_type === 'youtube' ? getFieldText(item, 'path') : '');
  return youtube ? <YouTubePlayer video={item} link={youtube} /> : <VideoPlayer video={item} />;
}
