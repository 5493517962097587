import { useCallback, useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';

const KEY = 'room-for-steps';

const LONGEST_WAIT_MS = 5000;

/** The list of all steps, in CSS pixels: what a profile begins with. */
const ALL_STEPS = { phone: 475, desktop: 455 };

function keptRoom(isBegun: boolean): number {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // A browser that keeps nothing for this page: each visit is the first.
  }
  if (kept !== null) return Number(kept) || 0;
  if (isBegun) return 0;
  return matchMedia('(min-width: 768px)').matches ? ALL_STEPS.desktop : ALL_STEPS.phone;
}

function keepRoom(height: number): void {
  try {
    localStorage.setItem(KEY, String(Math.round(height)));
  } catch {
    // As above.
  }
}

/**
 * Room for the card of steps, which comes late and above others: as high as it was the last time, so that they stay where
 * they are.
 * @param isBegun the profile has something that the first steps ask for: nothing says how many are left on the first visit
 * @returns what the place wears, and what is called once its card was drawn or found that there is nothing to draw
 */
export function useKeptRoom(isBegun: boolean): {
  place: { ref: RefObject<HTMLDivElement | null>; style: CSSProperties };
  onDrawn: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(() => keptRoom(isBegun));
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    // Its code could not be had: nothing will come.
    const timer = setTimeout(() => setRoom(0), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const place = ref.current;
    if (!isDrawn || !place) return;
    const watcher = new ResizeObserver(() => {
      // A page that is not shown yet has no heights.
      if (place.childElementCount === 0 || place.checkVisibility()) keepRoom(place.getBoundingClientRect().height);
    });
    watcher.observe(place);
    return () => watcher.disconnect();
  }, [isDrawn]);
  const onDrawn = useCallback(() => setDrawn(true), []);
  return { place: { ref, style: room > 0 && !isDrawn ? { minHeight: room, display: 'grid' } : {} }, onDrawn };
}
