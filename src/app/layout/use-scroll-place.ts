import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** A page that is not as long as it was by then has lost what it showed, milliseconds. */
const LONGEST_WAIT_MS = 5000;
/** Whoever does one of these goes where they want themselves. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** How far each entry of the history was scrolled. */
const places = new Map<string, number>();

/** Scrolls there as soon as the page is long enough. The answer gives up. */
function scrollOnce(place: number, then: () => void): () => void {
  const end = () => {
    clearTimeout(timer);
    growth.disconnect();
    for (const way of OWN_WAYS) removeEventListener(way, end);
    then();
  };
  const look = () => {
    if (document.documentElement.scrollHeight - innerHeight < place) return;
    window.scrollTo(0, place);
    end();
  };
  const timer = setTimeout(end, LONGEST_WAIT_MS);
  const growth = new ResizeObserver(look);
  growth.observe(document.body);
  for (const way of OWN_WAYS) addEventListener(way, end, { passive: true });
  look();
  return end;
}

/**
 * Another page begins at its top; Back stands where it was left. The browser tries that too, but at once, when a page that
 * still reads its rows is too short.
 */
export function useScrollPlace(): void {
  const { key, pathname } = useLocation();
  const kind = useNavigationType();
  const before = useRef(pathname);
  useEffect(() => {
    let isNoted = false;
    const note = () => {
      if (isNoted) places.set(key, window.scrollY);
    };
    const begin = () => (isNoted = true);
    addEventListener('scroll', note, { passive: true });
    let giveUp: () => void = begin;
    if (before.current === pathname) begin();
    else if (kind === 'POP') giveUp = scrollOnce(places.get(key) ?? 0, begin);
    else {
      begin();
      window.scrollTo(0, 0);
    }
    before.current = pathname;
    return () => {
      giveUp();
      removeEventListener('scroll', note);
    };
  }, [key, pathname, kind]);
}
