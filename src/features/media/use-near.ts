import { startTransition, useEffect, useRef, useState, type RefObject } from 'react';

/** One window ahead and one behind: what a thumb reaches before it is drawn. */
const MARGIN = '100% 0px';

const listeners = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all: it tells what came near and what went in one go. */
const watcher = () =>
  (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  ));

/**
 * Whether an element is on the screen or within a window's height of it. What has the focus counts as near for as long.
 * @param isWatched without it everything is near, as in a list too short to matter
 * @param isNearAtFirst what is known before anything was looked at
 */
export function useNear<T extends Element>(
  isWatched: boolean,
  isNearAtFirst: boolean,
): { ref: RefObject<T | null>; isNear: boolean } {
  const ref = useRef<T>(null);
  const [isNear, setNear] = useState(isNearAtFirst);
  useEffect(() => {
    const element = ref.current;
    if (!isWatched || element === null) return;
    listeners.set(element, (near) => {
      // In pieces: a thumb that moves comes first.
      startTransition(() => setNear(near || element.contains(document.activeElement)));
    });
    watcher().observe(element);
    return () => {
      watcher().unobserve(element);
      listeners.delete(element);
    };
  }, [isWatched]);
  return { ref, isNear: isNear || !isWatched };
}
