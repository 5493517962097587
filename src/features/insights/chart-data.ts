import type { CityCount, DemandShare, IndustryRates, RateBand } from '#contract/records/insights.ts';
import { money } from '#lib/amounts.ts';

/** One bar: what it is of, how long it is (0 to 1 of the longest), and what it says. */
export interface Bar {
  label: string;
  length: number;
  text: string;
  /** Under the bar. */
  detail?: string;
  /** The row of the table beside it, after its label. */
  cells: string[];
}

/** 'Under 5 years', '5 to 9 years', '10 years and more'. */
export function formatBand({
  from_years: from,
  below_years: below,
}: Pick<RateBand, 'from_years' | 'below_years'>): string {
  if (below === null) return from === 0 ? 'Any experience' : `${from} years or more`;
  return from === 0 ? `Under ${below} years` : `${from} to ${below - 1} years`;
}

export const toIndustryLabel = (name: string | null): string => name ?? 'Other or not specified';

/** '15 or more': counts are rounded down. */
export const formatPeople = (people: number): string => `${people.toLocaleString('en-IN')} or more`;

export const RATE_COLUMNS = ['Median', 'Middle half', 'People'];
export const CITY_COLUMNS = ['People'];
export const DEMAND_COLUMNS = ['Share'];

function toRateBars(groups: readonly (RateBand | IndustryRates)[], nameOf: (place: number) => string): Bar[] {
  const longest = Math.max(...groups.map(({ median }) => median), 1);
  return groups.map(({ median, low, high, people }, place) => {
    const half = low === null || high === null ? null : `${money(low)} to ${money(high)}`;
    return {
      label: nameOf(place),
      length: median / longest,
      text: money(median),
      detail: [half && `Half ask ${half}`, `${formatPeople(people)} people`].filter(Boolean).join(' · '),
      cells: [money(median), half ?? 'Too few people', formatPeople(people)],
    };
  });
}

export const toIndustryBars = (rates: readonly IndustryRates[]): Bar[] =>
  toRateBars(rates, (place) => toIndustryLabel(rates[place]?.name ?? null));

export const toBandBars = ({ bands }: Pick<IndustryRates, 'bands'>): Bar[] =>
  toRateBars(bands, (place) => (bands[place] ? formatBand(bands[place]) : ''));

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
