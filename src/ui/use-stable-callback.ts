import { useCallback, useLayoutEffect, useRef } from 'react';

/** A handler that stays the same one from drawing to drawing and does what the newest one would. Not for use while drawing. */
export function useStableCallback<A extends unknown[]>(newest: (...args: A) => void): (...args: A) => void {
  const kept = useRef(newest);
  useLayoutEffect(() => {
    kept.current = newest;
  });
  return useCallback((...args: A) => kept.current(...args), []);
}
