import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * Goes back one page. The browser takes the step some milliseconds later: a second tap in between must not take another.
 * @param opened the key of the location the page was opened with, where it has changed since
 */
export function useGoBack(opened?: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const isGoing = useRef(false);
  useEffect(() => void (isGoing.current = false), [key]);
  return () => {
    if (isGoing.current) return;
    isGoing.current = true;
    // Opened by a link from outside there is no page of ours to go back to.
    void ((opened ?? key) === 'default' ? navigate('/') : navigate(-1));
  };
}
