import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from '#ui/router.tsx';

/**
 * Returns a function that goes back one page. The browser navigates some milliseconds later; further calls until then
 * are ignored, so that a second tap does not go back twice.
 * @param opened the key of the location with which the page was opened, if it has changed since
 */
export function useGoBack(opened?: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const isGoing = useRef(false);
  useEffect(() => void (isGoing.current = false), [key]);
  return () => {
    if (isGoing.current) return;
    isGoing.current = true;
    // A page that was opened from outside the app has no previous page in it.
    navigate((opened ?? key) === 'default' ? '/' : -1);
  };
}
