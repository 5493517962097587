import { useCallback, useEffect, useState } from 'react';
import { INSIGHTS } from '#contract/insights-calls.ts';
import type { Insights } from '#contract/records/insights.ts';
import type { AppError } from '#net/app-error.ts';
import { read } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { parseInsights, clearCachedInsights, cacheInsights, readCachedInsights } from './insights-cache.ts';

/** The state of the page. `failure`: why the server's figures could not be loaded, so that there may be newer ones. */
type State =
  | { status: 'loading' }
  | { status: 'loaded'; figures: Insights; failure: AppError | null }
  /** The server does not offer these figures. */
  | { status: 'missing' }
  | { status: 'error'; error: AppError };

/** Shows the cached figures at once, then the server's. */
export async function loadInsights(show: (state: State, onlyIfNotLoaded?: boolean) => void): Promise<void> {
  const cached = await readCachedInsights().catch((error: unknown) => {
    // The figures are requested again.
    console.warn('Cached insights cannot be read', error);
    return null;
  });
  if (cached !== null) show({ status: 'loaded', figures: cached.figures, failure: null }, true);
  const answer = await read<unknown>(INSIGHTS.path, { tag: cached?.etag ?? undefined });
  if (cached !== null && answer.ok && 'same' in answer)
    return show({ status: 'loaded', figures: cached.figures, failure: null });
  const figures = answer.ok && 'data' in answer ? parseInsights(answer.data) : null;
  if (answer.ok && 'data' in answer && figures !== null) {
    show({ status: 'loaded', figures, failure: null });
    return cacheInsights({ figures, etag: answer.tag });
  }
  // Another server may respond with something else at this URL, which is the same to the user.
  if (answer.ok || answer.error.reason === 'missing') {
    show({ status: 'missing' });
    return clearCachedInsights();
  }
  show(
    cached === null
      ? { status: 'error', error: answer.error }
      : { status: 'loaded', figures: cached.figures, failure: answer.error },
  );
}

/** Loads the figures when the page opens and when the device comes online. */
export function useInsights(): { state: State; retry: () => void } {
  const isOnline = useOnline();
  const [state, setState] = useState<State>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadInsights((next, onlyIfNotLoaded = false) => {
      if (isCurrent) setState((before) => (onlyIfNotLoaded && before.status === 'loaded' ? before : next));
    }).catch((error: unknown) => console.warn('Insights could not be cached', error));
    return () => {
      isCurrent = false;
    };
  }, [isOnline, attempt]);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  return { state, retry };
}
