import { useRef, useState } from 'react';
import { useFingers, type FingerMove, type FingerStroke } from './use-fingers.ts';
import { CLOSE, pan, WHOLE, zoomAround, type Point, type View } from './zoom.ts';

const SWIPE_PX = 48;
const TAP_PX = 12;
const TWO_TAPS_MS = 300;
const KEY_FACTOR = 1.5;

/**
 * Zooms a picture with a pinch, a double tap, Ctrl and the wheel, or the keys + - 0. One finger pans a zoomed picture,
 * and swipes to the next one otherwise.
 */
export function useZoom(onStep: (step: 1 | -1) => void) {
  const [view, setView] = useState<View>(WHOLE);
  const lastTap = useRef<(Point & { at: number }) | null>(null);
  const fromMiddle = (point: Point, box: DOMRect): Point => ({
    x: point.x - box.left - box.width / 2,
    y: point.y - box.top - box.height / 2,
  });

  const handleMove = ({ by, factor, middle, frame }: FingerMove) =>
    setView((before) => {
      const pinched = factor === 1 ? before : zoomAround(before, factor, fromMiddle(middle, frame), frame);
      return pinched.scale === 1 ? pinched : pan(pinched, by, frame);
    });
  const handleTap = ({ to, at, frame }: FingerStroke) => {
    const last = lastTap.current;
    const isSecond =
      last !== null && at - last.at < TWO_TAPS_MS && Math.hypot(to.x - last.x, to.y - last.y) < 2 * TAP_PX;
    lastTap.current = isSecond ? null : { ...to, at };
    if (!isSecond) return;
    setView((before) => (before.scale > 1 ? WHOLE : zoomAround(before, CLOSE, fromMiddle(to, frame), frame)));
  };
  const handlers = useFingers(handleMove, (stroke) => {
    const { from, to } = stroke;
    if (Math.hypot(to.x - from.x, to.y - from.y) < TAP_PX) handleTap(stroke);
    else if (view.scale === 1 && Math.abs(to.x - from.x) >= SWIPE_PX) onStep(to.x < from.x ? 1 : -1);
  });

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
    handlers,
  };
}
