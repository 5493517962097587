import { useEffect, useState } from 'react';
import { afterPaint, isAtRest } from './after-paint.ts';

/**
 * True once the app's first page has painted and rests: for what may come after what is to be seen. On later pages it comes
 * along at once, or they would be shorter at first, and Back would lose the place.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setIsPainted] = useState(isAtRest);
  useEffect(() => {
    if (!isPainted) afterPaint(() => setIsPainted(true));
  }, [isPainted]);
  return isPainted;
}
