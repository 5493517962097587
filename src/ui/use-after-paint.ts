import { useEffect, useState } from 'react';
import { afterPaint, hasPageSettled } from './after-paint.ts';

/**
 * True once the app's first page has painted and is idle. Use it for content that can render after the first paint. On
 * later pages it is true at once; otherwise they would be shorter at first, and Back would lose the scroll position.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setIsPainted] = useState(hasPageSettled);
  useEffect(() => {
    if (!isPainted) afterPaint(() => setIsPainted(true));
  }, [isPainted]);
  return isPainted;
}
