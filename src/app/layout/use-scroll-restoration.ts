import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from '#ui/router.tsx';

/** A page that is not tall enough by then has lost content, so its position is not restored. */
const MAX_WAIT_MS = 5000;
/** Input of the person, which cancels the restoration. */
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scroll position of each history entry, in CSS pixels. */
const scrollPositions = new Map<string, number>();

/** Scrolls to a position as soon as the page is tall enough. Returns a function that gives up; either way calls `onEnd`. */
function scrollWhenTallEnough(position: number, onEnd: () => void): () => void {
  const end = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const event of USER_SCROLL_EVENTS) removeEventListener(event, end);
    onEnd();
  };
  const tryScroll = () => {
    if (document.documentElement.scrollHeight - innerHeight < position) return;
    window.scrollTo(0, position);
    end();
  };
  const timer = setTimeout(end, MAX_WAIT_MS);
  const observer = new ResizeObserver(tryScroll);
  observer.observe(document.body);
  for (const event of USER_SCROLL_EVENTS) addEventListener(event, end, { passive: true });
  tryScroll();
  return end;
}

/**
 * A new page starts at the top; Back and Forward restore the scroll position. The browser's own restoration runs too early, when
 * a page that still reads its rows is too short.
 */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const navigationType = useNavigationType();
  const previousPath = useRef(pathname);
  useEffect(() => {
    let isRecording = false;
    const recordPosition = () => {
      if (isRecording) scrollPositions.set(key, window.scrollY);
    };
    const startRecording = () => (isRecording = true);
    addEventListener('scroll', recordPosition, { passive: true });
    let giveUp: () => void = startRecording;
    if (previousPath.current === pathname) startRecording();
    else if (navigationType === 'POP') giveUp = scrollWhenTallEnough(scrollPositions.get(key) ?? 0, startRecording);
    else {
      startRecording();
      window.scrollTo(0, 0);
    }
    previousPath.current = pathname;
    return () => {
      giveUp();
      removeEventListener('scroll', recordPosition);
    };
  }, [key, pathname, navigationType]);
}
