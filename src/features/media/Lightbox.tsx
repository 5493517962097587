import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { MediaItem } from '#db/queries.ts';
import { IconButton } from '#ui/Button.tsx';
import { DarkDialog } from '#ui/DarkDialog.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { stop } from './audio-player.ts';
import { getMediaName, getTab, getFieldText } from './media-item.ts';
import { PhotoStage } from './PhotoStage.tsx';
import { VideoStage } from './VideoStage.tsx';
import { YouTubeStage } from './YouTubeStage.tsx';

interface LightboxProps {
  /** Those of the kind it opens with are stepped through, in this order. */
  items: readonly MediaItem[];
  /** What it opens with. */
  openId: string;
  /** What the person can do with the one that is shown. */
  buttonsOf?: ((item: MediaItem) => ReactNode) | undefined;
  onClose: () => void;
}

/** Of what the keys of the arrows belong to themselves. */
const OWN_ARROWS = 'video, input, select, [role=menu]';

/** Photos and videos on black. Arrows, swipe and buttons move, Esc closes; the focus goes back to the tile. */
export function Lightbox({ items: all, openId, buttonsOf, onClose }: LightboxProps) {
  // Kept here, not in the address: Back leaves the viewer instead of walking through everything seen.
  const [currentId, setCurrentId] = useState(openId);
  const opened = all.find((each) => each.id === openId);
  const items = all.filter((each) => getTab(each)?.key === (opened && getTab(opened)?.key));
  const at = items.findIndex((each) => each.id === currentId);
  const item = items[at];
  // One thing speaks at a time.
  useEffect(stop, []);

  const go = (step: 1 | -1) => {
    const next = items[at + step];
    if (next) setCurrentId(next.id);
  };
  const handleKey = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).closest(OWN_ARROWS)) return;
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
          {item && buttonsOf?.(item)}
        </>
      }
      foot={
        <p className="num pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-center text-sm text-white/80">
          {at + 1} of {items.length}
        </p>
      }
      onKeyDown={handleKey}
      onClose={onClose}
      // Opened by its address, or from a tile that a filter took away.
      backTo={`[data-media="${CSS.escape(openId)}"]`}
    >
      {item && <Stage key={item.key} item={item} onStep={go} />}
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

function Stage({ item, onStep }: { item: MediaItem; onStep: (step: 1 | -1) => void }) {
  if (getTab(item)?.key !== 'video') return <PhotoStage photo={item} onStep={onStep} />;
  const youtube =
    getFieldText(item, 'youtube_url') || (item.body.media_type === 'youtube' ? getFieldText(item, 'path') : '');
  return youtube ? <YouTubeStage video={item} link={youtube} /> : <VideoStage video={item} />;
}
