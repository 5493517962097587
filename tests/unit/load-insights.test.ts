import { expect, test, vi } from 'vitest';
import { loadInsights } from '#features/insights/use-insights.ts';
import { toAppError } from '#net/app-error.ts';

const figures = {
  as_of: '2026-08-14',
  rates: [],
  cities: [],
  demand: { days: 180, people: 0, languages: [], skills: [] },
};
const error = toAppError(503, null, null);
vi.mock('#net/client.ts', () => ({ read: () => Promise.resolve({ ok: false, error }) }));
vi.mock('#features/insights/insights-cache.ts', () => ({
  readCachedInsights: () => Promise.resolve({ figures, etag: null }),
}));

test('figures from this device come with the reason why the server’s could not be loaded', async () => {
  const show = vi.fn();
  await loadInsights(show);
  expect(show).toHaveBeenLastCalledWith({ status: 'loaded', figures, failure: error });
});
