import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** A page that is not as long as it was by then has lost what it showed, milliseconds. */
const MAX_WAIT_MS = 5000;
/** Whoever does one of these goes where they want themselves. */
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** How far each entry of the history was scrolled. */
const scrollPositions = new Map<string, number>();

/** Scrolls there as soon as the page is long enough. The answer gives up. */
function scrollWhenTallEnough(place: number, then: () => void): () => void {
  const end = () => {
    clearTimeout(timer);
    growth.disconnect();
    for (const way of USER_SCROLL_EVENTS) removeEventListener(way, end);
    then();
  };
  const tryScroll = () => {
    if (document.documentElement.scrollHeight - innerHeight < place) return;
    window.scrollTo(0, place);
    end();
  };
  const timer = setTimeout(end, MAX_WAIT_MS);
  const growth = new ResizeObserver(tryScroll);
  growth.observe(document.body);
  for (const way of USER_SCROLL_EVENTS) addEventListener(way, end, { passive: true });
  tryScroll();
  return end;
}

/**
 * Another page begins at its top; Back stands where it was left. The browser tries that too, but at once, when a page that
 * still reads its rows is too short.
 */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const kind = useNavigationType();
  const before = useRef(pathname);
  useEffect(() => {
    let isRecording = false;
    const recordPosition = () => {
      if (isRecording) scrollPositions.set(key, window.scrollY);
    };
    const startRecording = () => (isRecording = true);
    addEventListener('scroll', recordPosition, { passive: true });
    let giveUp: () => void = startRecording;
    if (before.current === pathname) startRecording();
    else if (kind === 'POP') giveUp = scrollWhenTallEnough(scrollPositions.get(key) ?? 0, startRecording);
    else {
      startRecording();
      window.scrollTo(0, 0);
    }
    before.current = pathname;
    return () => {
      giveUp();
      removeEventListener('scroll', recordPosition);
    };
  }, [key, pathname, kind]);
}
