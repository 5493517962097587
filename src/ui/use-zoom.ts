import { useRef, useState, type PointerEvent } from 'react';
import { CLOSE, pan, WHOLE, zoomAround, type Point, type View } from './zoom.ts';

const SWIPE_PX = 48;
const TAP_PX = 12;
const TWO_TAPS_MS = 300;
const KEY_FACTOR = 1.5;

/** Returns the midpoint between the fingers and their distance. */
function measureFingers(fingers: readonly Point[]): { middle: Point; apart: number } {
  const [a, b = a] = fingers as [Point, Point?];
  return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, apart: Math.hypot(a.x - b.x, a.y - b.y) };
}

/**
 * Zooms a picture with a pinch, a double tap, Ctrl and the wheel, or the keys + - 0. One finger pans a zoomed picture,
 * and swipes to the next one otherwise.
 */
export function useZoom(onStep: (step: 1 | -1) => void) {
  const [view, setView] = useState<View>(WHOLE);
  const fingers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);
  const wasPinched = useRef(false);
  const lastTap = useRef<(Point & { at: number }) | null>(null);

  const frameOf = (event: { currentTarget: Element }) => event.currentTarget.getBoundingClientRect();
  const fromMiddle = (point: Point, box: DOMRect): Point => ({
    x: point.x - box.left - box.width / 2,
    y: point.y - box.top - box.height / 2,
  });

  const toggleAt = (point: Point, box: DOMRect) =>
    setView((before) => (before.scale > 1 ? WHOLE : zoomAround(before, CLOSE, fromMiddle(point, box), box)));

  const handleDown = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const point = { x: event.clientX, y: event.clientY };
    fingers.current.set(event.pointerId, point);
    event.currentTarget.setPointerCapture(event.pointerId);
    if (fingers.current.size === 1) {
      start.current = point;
      wasPinched.current = false;
    } else wasPinched.current = true;
  };
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.has(event.pointerId)) return;
    const box = frameOf(event);
    const before = measureFingers([...fingers.current.values()]);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = measureFingers([...fingers.current.values()]);
    const by = { x: after.middle.x - before.middle.x, y: after.middle.y - before.middle.y };
    const factor = before.apart > 0 ? after.apart / before.apart : 1;
    setView((now) => {
      const pinched = factor === 1 ? now : zoomAround(now, factor, fromMiddle(after.middle, box), box);
      return pinched.scale === 1 ? pinched : pan(pinched, by, box);
    });
  };
  const handleUp = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId) || fingers.current.size > 0) return;
    const from = start.current;
    start.current = null;
    if (!from || wasPinched.current) return;
    const point = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(point.x - from.x, point.y - from.y);
    if (far < TAP_PX) {
      const last = lastTap.current;
      const isSecond =
        last !== null &&
        event.timeStamp - last.at < TWO_TAPS_MS &&
        Math.hypot(point.x - last.x, point.y - last.y) < 2 * TAP_PX;
      lastTap.current = isSecond ? null : { ...point, at: event.timeStamp };
      if (isSecond) toggleAt(point, frameOf(event));
    } else if (view.scale === 1 && Math.abs(point.x - from.x) >= SWIPE_PX) {
      onStep(point.x < from.x ? 1 : -1);
    }
  };
  const handleCancel = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId);
    start.current = null;
  };

  /** Zooms around the center, for buttons and keys. */
  const zoomBy = (factor: number, frame: HTMLElement | null) => {
    if (frame) setView((before) => zoomAround(before, factor, { x: 0, y: 0 }, frame.getBoundingClientRect()));
  };
  return {
    view,
    closer: (frame: HTMLElement | null) => zoomBy(KEY_FACTOR, frame),
    farther: (frame: HTMLElement | null) => zoomBy(1 / KEY_FACTOR, frame),
    reset: () => setView(WHOLE),
    /** Zooms around a point, for a wheel or trackpad. */
    zoomAt: (factor: number, point: Point, frame: HTMLElement) => {
      const box = frame.getBoundingClientRect();
      setView((before) => zoomAround(before, factor, fromMiddle(point, box), box));
    },
    handlers: {
      onPointerDown: handleDown,
      onPointerMove: handleMove,
      onPointerUp: handleUp,
      onPointerCancel: handleCancel,
    },
  };
}
