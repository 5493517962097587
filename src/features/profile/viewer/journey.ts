import type { AnyRow } from '#contract/section.ts';

export interface Stop {
  key: string;
  year: number;
  title: string;
  text: string;
}

/** The highlights as stops of a way, newest first, that leads up to today: the current year ends it where no highlight does. */
export function journeyOf(rows: readonly AnyRow[], currentYear: number): Stop[] {
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
