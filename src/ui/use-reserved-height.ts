import { useCallback, useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { readLocal } from '#ui/read-local.ts';

const MAX_WAIT_MS = 5000;

function readHeight(key: string, getFirst: () => number): number {
  // Where storage is blocked, every visit is the first.
  const stored = readLocal(key);
  return stored === null ? getFirst() : Number(stored) || 0;
}

function storeHeight(key: string, height: number): void {
  try {
    localStorage.setItem(key, String(Math.round(height)));
  } catch {
    // Storage is blocked.
  }
}

/**
 * Reserves the height that a card had on the last visit. The card renders late and above others, which would otherwise jump down.
 * @param key where this device remembers the height
 * @param getFirst the height on the first visit, in CSS pixels
 * @returns props for the card's container, and a callback for when the card has rendered or has nothing to show
 */
export function useReservedHeight(
  key: string,
  getFirst: () => number,
): {
  containerProps: { ref: RefObject<HTMLDivElement | null>; style: CSSProperties };
  onReady: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => readHeight(key, getFirst));
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
        storeHeight(key, container.getBoundingClientRect().height);
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [key, isReady]);
  const onReady = useCallback(() => setIsReady(true), []);
  const style: CSSProperties = height > 0 && !isReady ? { minHeight: height, display: 'grid' } : {};
  return { containerProps: { ref, style }, onReady };
}
