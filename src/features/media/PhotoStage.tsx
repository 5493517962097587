import { ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { IconButton } from '#ui/Button.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { useOwnBytes } from './local-source.ts';
import { addressOf, nameOf } from './media-item.ts';
import { ResponsiveImage } from './ResponsiveImage.tsx';
import { useZoom } from './use-zoom.ts';

/** One photo as large as the screen, to come closer to. */
export function PhotoStage({ photo, onStep }: { photo: MediaItem; onStep: (step: 1 | -1) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const { view, closer, farther, reset, zoomAt, handlers } = useZoom(onStep);
  const isClose = view.scale > 1;
  const latest = useRef({ closer, farther, reset, zoomAt });
  useEffect(() => {
    latest.current = { closer, farther, reset, zoomAt };
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    // React listens to wheels passively, and the page behind must not grow in its place.
    const handleWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      latest.current.zoomAt(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY }, element);
    };
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === '+' || event.key === '=') latest.current.closer(element);
      else if (event.key === '-') latest.current.farther(element);
      else if (event.key === '0') latest.current.reset();
    };
    element.addEventListener('wheel', handleWheel, { passive: false });
    addEventListener('keydown', handleKey);
    return () => {
      element.removeEventListener('wheel', handleWheel);
      removeEventListener('keydown', handleKey);
    };
  }, []);
  return (
    <>
      <div ref={frame} className="absolute inset-0 size-full touch-none overflow-hidden" {...handlers}>
        <div
          className="flex size-full items-center justify-center"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          <Picture photo={photo} />
        </div>
      </div>
      <div className="absolute right-1 bottom-1 flex gap-2">
        {isClose && (
          <IconButton
            label="Zoom out"
            icon={ZoomOut}
            className="rounded-full bg-black/60"
            onClick={() => farther(frame.current)}
          />
        )}
        <IconButton
          label="Zoom in"
          icon={ZoomIn}
          className="rounded-full bg-black/60"
          onClick={() => closer(frame.current)}
        />
      </div>
    </>
  );
}

const LOOK = 'size-full object-contain';

function Picture({ photo }: { photo: MediaItem }) {
  const name = nameOf(photo);
  const address = addressOf(photo, 'path');
  if (address) {
    return (
      <ResponsiveImage
        item={photo}
        instead={[address, addressOf(photo, 'thumb_path')]}
        sizes="100vw"
        className={LOOK}
        fallback={<p className="px-6 text-center">This photo needs signal to be seen here in full.</p>}
      />
    );
  }
  return <OwnBytes photo={photo} name={name} />;
}

/** Not sent yet: the file itself, and until it is read its small copy. */
function OwnBytes({ photo, name }: { photo: MediaItem; name: string }) {
  const { file } = photo;
  const whole = useOwnBytes(file);
  if (whole) return <img src={whole} alt={name} className={LOOK} draggable={false} />;
  if (file?.thumb) return <LocalImage id={file.id} bytes={file.thumb} alt={name} className={LOOK} />;
  return <p className="px-6 text-center">This photo is on its way and can be seen here soon.</p>;
}
