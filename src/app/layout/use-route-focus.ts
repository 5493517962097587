import { useEffect, useRef } from 'react';
import { useLocation } from '#ui/router.tsx';

/** Moves the focus to the main element after a navigation, as a full page load would. */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname]);
}
