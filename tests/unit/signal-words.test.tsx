import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { InsightsPage } from '#features/insights/InsightsPage.tsx';
import type { SearchResult } from '#features/search/find-people.ts';
import { Results } from '#features/search/Results.tsx';
import { toAppError, toNetworkError } from '#net/app-error.ts';

const { state } = vi.hoisted(() => ({ state: { current: {} } }));
vi.mock('react', async (load) => ({
  ...(await load<object>()),
  useSyncExternalStore: (_: unknown, get: () => unknown) => get(),
}));
vi.mock('#session/session.tsx', () => ({ useSession: () => ({ state: 'signed in', account: null }) }));
vi.mock('#ui/device.ts', () => ({ deviceWord: () => 'phone' }));
vi.mock('#features/insights/use-insights.ts', () => ({
  useInsights: () => ({ state: state.current, retry: () => undefined }),
}));

const FAILED = toAppError(503, null, null);
const SILENT = toNetworkError('timeout');
const wordsOf = (page: ReactNode) => renderToStaticMarkup(page).replace(/<[^>]+>/g, ' ');
const doNothing = () => undefined;

describe('only a request without an answer is called no signal', () => {
  const getInsights = (failure: typeof FAILED) => {
    const demand = { days: 180, people: 0, languages: [], skills: [] };
    state.current = { status: 'loaded', figures: { as_of: '2026-08-14', rates: [], cities: [], demand }, failure };
    return wordsOf(<InsightsPage />);
  };
  const getResults = (error: typeof FAILED) => {
    const found: SearchResult = { status: 'loaded', source: 'device', rows: [], cursor: null, error };
    return wordsOf(
      <Results found={found} isBusy={false} more={null} retry={doNothing} clear={null} onOpen={doNothing} />,
    );
  };

  test('on the page of insights', () => {
    expect(getInsights(SILENT)).toMatch(/No signal\. As last seen/);
    expect(getInsights(FAILED)).toMatch(/could not be loaded now.*Try again/);
    expect(getInsights(FAILED)).not.toContain('No signal');
  });

  test('in the search', () => {
    expect(getResults(SILENT)).toContain('Without signal');
    expect(getResults(FAILED)).toMatch(/could not be loaded now.*Try again/);
    expect(getResults(FAILED)).not.toContain('Without signal');
  });
});
