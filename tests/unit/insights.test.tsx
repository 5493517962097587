import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { BarChart } from '#features/insights/BarChart.tsx';
import { InsightsPage } from '#features/insights/InsightsPage.tsx';
import { formatBand, toCityBars, toDemandBars, toIndustryBars, RATE_COLUMNS } from '#features/insights/chart-data.ts';
import { parseInsights } from '#features/insights/insights-cache.ts';

// renderToStaticMarkup needs a server snapshot, which the stores do not have.
vi.mock('react', async (load) => ({
  ...(await load<object>()),
  useSyncExternalStore: (_: unknown, get: () => unknown) => get(),
}));
vi.mock('#session/session.tsx', () => ({ useSession: () => ({ state: 'signed in' }) }));

const film = { name: 'Film', people: 10, median: 20_000, low: 15_000, high: 30_000, bands: [] };
const others = { name: null, people: 5, median: 10_000, low: null, high: null, bands: [] };

describe('insights', () => {
  test('formats ranges, shares and counts', () => {
    expect(formatBand({ from_years: 0, below_years: 5 })).toBe('Under 5 years');
    expect(formatBand({ from_years: 5, below_years: 10 })).toBe('5 to 9 years');
    expect(formatBand({ from_years: 10, below_years: null })).toBe('10 years or more');
    expect(formatBand({ from_years: 0, below_years: null })).toBe('Any experience');
    expect(toDemandBars([{ name: 'Hindi', share: null }])).toEqual([
      { label: 'Hindi', length: 1, text: 'Nearly all', cells: ['Nearly all'] },
    ]);
    expect(toCityBars([{ name: null, people: 1250 }])[0]).toMatchObject({
      label: 'Other or not specified',
      text: '1,250 or more',
    });
  });

  test('scales bars to the longest one', () => {
    expect(toIndustryBars([film, others]).map(({ length, label }) => [label, length])).toEqual([
      ['Film', 1],
      ['Other or not specified', 0.5],
    ]);
  });

  test('repeats the figures in a table for screen readers', () => {
    const html = renderToStaticMarkup(
      <BarChart
        caption="What people ask"
        rowHeader="Industry"
        columns={RATE_COLUMNS}
        bars={toIndustryBars([film, others])}
      />,
    );
    expect(html).toMatch(/^<figure aria-labelledby="(.+?)"><figcaption id="\1"/);
    const words = html
      .slice(html.indexOf('<table'))
      .replace(/<[^>]+>/g, '|')
      .replace(/\|+/g, '|');
    expect(words).toContain('|Industry|Median|Middle half|People|');
    expect(words).toContain('|Film|₹20,000|₹15,000 to ₹30,000|10 or more|');
    expect(words).toContain('|Other or not specified|₹10,000|Too few people|5 or more|');
  });

  test('rejects a response of another shape', () => {
    expect(parseInsights({ as_of: '2026-08-14', rates: [film], cities: [] })).toBeNull();
    expect(parseInsights('<!doctype html>')).toBeNull();
    const good = {
      as_of: '2026-08-14',
      rates: [film],
      demand: { days: 180, people: 0, languages: [], skills: [] },
      cities: [],
    };
    expect(parseInsights(good)).toEqual(good);
  });
});

describe('the insights page without cached figures', () => {
  test('shows a skeleton without text until the server responds', () => {
    vi.stubGlobal('navigator', { onLine: true, userAgent: '' });
    const html = renderToStaticMarkup(<InsightsPage />);
    expect(html).toContain('aria-label="Loading Industry Insights"');
    expect(html.replace(/<[^>]+>/g, '')).toBe('');
    vi.unstubAllGlobals();
  });
});
