import { ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { useZoom } from './use-zoom.ts';

interface ZoomFrameProps {
  /** The picture, which fills the frame. */
  children: ReactNode;
  /** Called on a swipe while the picture is not zoomed: 1 for the next picture, -1 for the previous one. */
  onStep?: (step: 1 | -1) => void;
}

const noop = () => undefined;

/** A zoomable picture that fills its container. */
export function ZoomFrame({ children, onStep = noop }: ZoomFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { view, closer, farther, reset, zoomAt, handlers } = useZoom(onStep);
  const isZoomed = view.scale > 1;
  const zoomByWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomAt(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY }, element);
  });
  const zoomByKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === '+' || key === '=') closer(frame.current);
    else if (key === '-') farther(frame.current);
    else if (key === '0') reset();
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const handleWheel = (event: WheelEvent) => zoomByWheel(event, element);
    const handleKey = (event: KeyboardEvent) => zoomByKey(event);
    // React's wheel listeners are passive, but this one must prevent the browser from zooming the page.
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
          {children}
        </div>
      </div>
      <div className="absolute right-1 bottom-1 flex gap-2">
        {isZoomed && (
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
