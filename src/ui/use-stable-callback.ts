import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a callback with a stable identity that always calls the latest closure. Do not call it during rendering. */
export function useStableCallback<A extends unknown[]>(newest: (...args: A) => void): (...args: A) => void {
  const latest = useRef(newest);
  useLayoutEffect(() => {
    latest.current = newest;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
