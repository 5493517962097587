import { useRef, type PointerEvent } from 'react';
import type { Point } from './zoom.ts';

/** What one or two fingers on an element, or the mouse with its button held, did since the last event. */
export interface FingerMove {
  /** How far they moved together, in pixels. */
  by: Point;
  /** By what factor their distance grew; 1 for a single finger. */
  factor: number;
  /** The point between them, in pixels of the window. */
  middle: Point;
  /** The element. */
  frame: DOMRect;
}

/** The way of a single finger from touching the element to leaving it, in pixels of the window. */
export interface FingerStroke {
  from: Point;
  to: Point;
  /** When it left, in milliseconds. */
  at: number;
  frame: DOMRect;
}

function measureFingers(fingers: ReadonlyMap<number, Point>): { middle: Point; apart: number } {
  const [a, b = a] = [...fingers.values()] as [Point, Point?];
  return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, apart: Math.hypot(a.x - b.x, a.y - b.y) };
}

const toPoint = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });
const getFrame = (event: PointerEvent) => event.currentTarget.getBoundingClientRect();

/**
 * Returns handlers for dragging and pinching an element, which needs `touch-action: none`.
 * @param onStroke called for a finger that was alone from start to end, such as a tap or a swipe
 */
export function useFingers(onMove: (move: FingerMove) => void, onStroke?: (stroke: FingerStroke) => void) {
  const fingers = useRef(new Map<number, Point>());
  /** Where the only finger came down; null once there was a second one. */
  const start = useRef<Point | null>(null);

  const handleDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || fingers.current.size === 2) return;
    const point = toPoint(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, point);
    start.current = fingers.current.size === 1 ? point : null;
  };
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.has(event.pointerId)) return;
    const before = measureFingers(fingers.current);
    fingers.current.set(event.pointerId, toPoint(event));
    const { middle, apart } = measureFingers(fingers.current);
    onMove({
      by: { x: middle.x - before.middle.x, y: middle.y - before.middle.y },
      factor: before.apart > 0 ? apart / before.apart : 1,
      middle,
      frame: getFrame(event),
    });
  };
  const handleUp = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId)) return;
    const from = start.current;
    start.current = null;
    if (from) onStroke?.({ from, to: toPoint(event), at: event.timeStamp, frame: getFrame(event) });
  };
  const handleCancel = (event: PointerEvent<HTMLElement>) => {
    if (fingers.current.delete(event.pointerId)) start.current = null;
  };
  return {
    onPointerDown: handleDown,
    onPointerMove: handleMove,
    onPointerUp: handleUp,
    onPointerCancel: handleCancel,
  };
}
