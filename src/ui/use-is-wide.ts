import { useSyncExternalStore } from 'react';

/** From here on, a page has room for two columns: Tailwind's `lg`. */
const WIDE = '(width >= 64rem)';

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether the window is as wide as a computer's. For what differs in more than its looks; styles have `lg:`. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
