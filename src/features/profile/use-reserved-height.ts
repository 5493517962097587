import { useCallback, useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';

const KEY = 'room-for-steps';

const MAX_WAIT_MS = 5000;

/** Height of the full list of steps, which a new profile shows. */
const FULL_LIST_HEIGHT_PX = { phone: 475, desktop: 455 };

function readHeight(isStarted: boolean): number {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Storage is blocked: treat every visit as the first.
  }
  if (stored !== null) return Number(stored) || 0;
  if (isStarted) return 0;
  return matchMedia('(min-width: 768px)').matches ? FULL_LIST_HEIGHT_PX.desktop : FULL_LIST_HEIGHT_PX.phone;
}

function storeHeight(height: number): void {
  try {
    localStorage.setItem(KEY, String(Math.round(height)));
  } catch {
    // Storage is blocked.
  }
}

/**
 * Reserves the height that the completeness card had on the last visit. The card renders late and above other cards, which
 * would otherwise jump down.
 * @param isStarted the profile already has what the first steps ask for, so the card's height is unknown on the first visit
 * @returns props for the card's container, and a callback for when the card has rendered or has nothing to show
 */
export function useReservedHeight(isStarted: boolean): {
  containerProps: { ref: RefObject<HTMLDivElement | null>; style: CSSProperties };
  onReady: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => readHeight(isStarted));
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    // The card's code could not be fetched: give the space back.
    const timer = setTimeout(() => setHeight(0), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const container = ref.current;
    if (!isReady || !container) return;
    const observer = new ResizeObserver(() => {
      // Elements of a hidden page have no height.
      if (container.childElementCount === 0 || container.checkVisibility())
        storeHeight(container.getBoundingClientRect().height);
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [isReady]);
  const onReady = useCallback(() => setIsReady(true), []);
  const style: CSSProperties = height > 0 && !isReady ? { minHeight: height, display: 'grid' } : {};
  return { containerProps: { ref, style }, onReady };
}
