import { useCallback, useRef, useState, type CSSProperties, type RefObject } from 'react';

const KEY = 'room-for-steps';

function keptRoom(): number {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    // A browser that keeps nothing for this page: what comes late moves the rest, as on the first visit.
    return 0;
  }
}

/**
 * Room for a card that comes late, above others: as high as it was the last time, so that they stay where they are.
 * @returns what the place wears, and what is called whenever its card was drawn or found that there is nothing to draw
 */
export function useKeptRoom(): {
  place: { ref: RefObject<HTMLDivElement | null>; style: CSSProperties };
  onDrawn: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(keptRoom);
  const onDrawn = useCallback(() => {
    const height = ref.current?.firstElementChild?.getBoundingClientRect().height ?? 0;
    setRoom(0);
    try {
      localStorage.setItem(KEY, String(Math.round(height)));
    } catch {
      // As above.
    }
  }, []);
  return { place: { ref, style: room > 0 ? { display: 'grid', minHeight: room } : {} }, onDrawn };
}
