import { useEffect, useRef } from 'react';
import { useLocation } from '#ui/router.tsx';
import { whenPainted } from '#ui/when-painted.ts';

/**
 * Moves the focus to the main element after a navigation, as a full page load would, once the page has painted: moving
 * it earlier makes the browser compute all styles twice. Leaves the focus where the user or the page has put it since.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    const focused = document.activeElement;
    return whenPainted(() => {
      const isUntouched = document.activeElement === focused || document.activeElement === document.body;
      if (isUntouched) document.getElementById('main')?.focus({ preventScroll: true });
    });
  }, [pathname]);
}
