import type { AnyRow } from '#contract/section.ts';

export interface Stop {
  key: string;
  year: number;
  title: string;
  text: string;
}

/** Sorts the highlights into timeline stops, newest first. Adds 'Today' if no highlight is of the current year. */
export function toJourneyStops(rows: readonly AnyRow[], currentYear: number): Stop[] {
  const stops = rows
    .map((row) => ({
      key: String(row.id),
      year: Number(row.year),
      title: String(row.title ?? ''),
      text: String(row.description ?? ''),
    }))
    .sort((a, b) => b.year - a.year);
  const newest = stops[0]?.year ?? currentYear;
  return newest >= currentYear ? stops : [{ key: 'now', year: currentYear, title: 'Today', text: '' }, ...stops];
}
