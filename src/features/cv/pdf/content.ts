/**
 * What a CV shows: plain text, already filtered for its audience. The code that draws it knows nothing else about the
 * person.
 */
export interface CvContent {
  name: string;
  /** '' if there is none. */
  title: string;
  facts: readonly CvFact[];
  /** The public page, for the QR code; null if there is none, or if it is left out. */
  pageUrl: string | null;
  parts: readonly CvPart[];
}

/** A short fact in the head: 'Height', '168 cm'. */
export interface CvFact {
  label: string;
  value: string;
}

export type CvPart = CvTable | CvList | CvLinks;

/** Rows below one or more headings. The newest row of all groups has the highest rank. */
export interface CvTable {
  kind: 'table';
  /** What one row is called: 'credit'. */
  noun: string;
  groups: readonly { title: string; rows: readonly CvRow[] }[];
}

export interface CvRow {
  /** A year. */
  when: string;
  title: string;
  /** Where the title leads; null if nowhere. */
  url: string | null;
  middle: string;
  right: string;
  rank: number;
}

/** Entries in one paragraph. */
export interface CvList {
  kind: 'list';
  title: string;
  noun: string;
  entries: readonly string[];
}

export interface CvLinks {
  kind: 'links';
  title: string;
  links: readonly { label: string; url: string }[];
}
