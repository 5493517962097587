import type { CityCount, DemandShare, IndustryRates, RateBand } from '#contract/records/insights.ts';
import { money } from '#lib/amounts.ts';

/** One bar of a chart. `length` is relative to the longest bar, from 0 to 1. */
export interface Bar {
  label: string;
  length: number;
  text: string;
  /** Text under the bar. */
  detail?: string;
  /** Cells of its table row, without the label. */
  cells: string[];
}

/** Formats a range of experience: 'Under 5 years', '5 to 9 years', '10 years or more'. */
export function formatBand({
  from_years: from,
  below_years: below,
}: Pick<RateBand, 'from_years' | 'below_years'>): string {
  if (below === null) return from === 0 ? 'Any experience' : `${from} years or more`;
  return from === 0 ? `Under ${below} years` : `${from} to ${below - 1} years`;
}

export const toIndustryLabel = (name: string | null): string => name ?? 'Other or not specified';

/** Formats a head count, which is rounded down: '15 or more'. */
export const formatPeople = (people: number): string => `${people.toLocaleString('en-IN')} or more`;

export const RATE_COLUMNS = ['Median', 'Middle half', 'People'];
export const CITY_COLUMNS = ['People'];
export const DEMAND_COLUMNS = ['Share'];

function toRateBars(groups: readonly (RateBand | IndustryRates)[], getLabel: (index: number) => string): Bar[] {
  const longest = Math.max(...groups.map(({ median }) => median), 1);
  return groups.map(({ median, low, high, people }, index) => {
    const half = low === null || high === null ? null : `${money(low)} to ${money(high)}`;
    return {
      label: getLabel(index),
      length: median / longest,
      text: money(median),
      detail: [half && `Half ask ${half}`, `${formatPeople(people)} people`].filter(Boolean).join(' · '),
      cells: [money(median), half ?? 'Too few people', formatPeople(people)],
    };
  });
}

export const toIndustryBars = (rates: readonly IndustryRates[]): Bar[] =>
  toRateBars(rates, (index) => toIndustryLabel(rates[index]?.name ?? null));

export const toBandBars = ({ bands }: Pick<IndustryRates, 'bands'>): Bar[] =>
  toRateBars(bands, (index) => (bands[index] ? formatBand(bands[index]) : ''));

export function toCityBars(cities: readonly CityCount[]): Bar[] {
  const longest = Math.max(...cities.map(({ people }) => people), 1);
  return cities.map(({ name, people }) => ({
    label: name ?? 'Other or not specified',
    length: people / longest,
    text: formatPeople(people),
    cells: [formatPeople(people)],
  }));
}

export const toDemandBars = (shares: readonly DemandShare[]): Bar[] =>
  shares.map(({ name, share }) => {
    const text = share === null ? 'Nearly all' : `${share}%`;
    return { label: name, length: (share ?? 100) / 100, text, cells: [text] };
  });
