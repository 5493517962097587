import { useRef, type PointerEvent } from 'react';

const SWIPE_PX = 56;

/**
 * Handlers for a horizontal swipe on an element: 1 for next, -1 for previous. Ignores the mouse, which selects text.
 */
export function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const from = useRef<{ id: number; x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      from.current =
        event.isPrimary && event.pointerType === 'touch'
          ? { id: event.pointerId, x: event.clientX, y: event.clientY }
          : null;
    },
    onPointerUp: (event: PointerEvent) => {
      const start = from.current;
      from.current = null;
      if (start?.id !== event.pointerId) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
    },
    onPointerCancel: () => {
      from.current = null;
    },
  };
}
