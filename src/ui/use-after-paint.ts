import { useEffect, useState } from 'react';
import { afterPaint } from './after-paint.ts';

/** True once the page has painted and rests: for what may come after what is to be seen. */
export function useAfterPaint(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => afterPaint(() => setIsPainted(true)), []);
  return isPainted;
}
