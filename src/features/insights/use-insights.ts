import { useCallback, useEffect, useState } from 'react';
import { INSIGHTS } from '#contract/insights-calls.ts';
import type { Insights } from '#contract/records/insights.ts';
import type { AppError } from '#net/app-error.ts';
import { read } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { parseInsights, clearCachedInsights, cacheInsights, readCachedInsights } from './insights-cache.ts';

/** How the page stands. `isKept`: the server could not be asked whether there are newer figures. */
type State =
  | { is: 'loading' }
  | { is: 'here'; figures: Insights; isKept: boolean }
  /** The server knows nothing of such figures. */
  | { is: 'missing' }
  | { is: 'trouble'; error: AppError };

/** What was kept here, at once, then what the server says. */
async function load(show: (state: State, onlyAtFirst?: boolean) => void): Promise<void> {
  const kept = await readCachedInsights().catch((error: unknown) => {
    // Asked for anew; a store that cannot be read is no reason to show nothing.
    console.warn('Kept figures cannot be read', error);
    return null;
  });
  if (kept !== null) show({ is: 'here', figures: kept.figures, isKept: false }, true);
  const answer = await read<unknown>(INSIGHTS.path, { tag: kept?.etag ?? undefined });
  if (kept !== null && answer.ok && 'same' in answer) return show({ is: 'here', figures: kept.figures, isKept: false });
  const figures = answer.ok && 'data' in answer ? parseInsights(answer.data) : null;
  if (answer.ok && 'data' in answer && figures !== null) {
    show({ is: 'here', figures, isKept: false });
    return cacheInsights({ figures, etag: answer.tag });
  }
  // Something else stands at this address of another server: to the person that is the same.
  if (answer.ok || answer.error.reason === 'missing') {
    show({ is: 'missing' });
    return clearCachedInsights();
  }
  show(kept === null ? { is: 'trouble', error: answer.error } : { is: 'here', figures: kept.figures, isKept: true });
}

/** The figures, asked for when the page opens and when the signal comes back. */
export function useInsights(): { state: State; retry: () => void } {
  const isOnline = useOnline();
  const [state, setState] = useState<State>({ is: 'loading' });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load((next, onlyAtFirst = false) => {
      if (isCurrent) setState((before) => (onlyAtFirst && before.is === 'here' ? before : next));
    }).catch((error: unknown) => console.warn('Nothing was kept', error));
    return () => {
      isCurrent = false;
    };
  }, [isOnline, turn]);
  const retry = useCallback(() => setTurn((before) => before + 1), []);
  return { state, retry };
}
