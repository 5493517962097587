/** Whether a sender may break a rule: with a reason that the performer reads, or never. */
export type Waiver = 'reason' | 'never';

/** What the performer must know before saying yes. `none` was asked and answered; undefined was not answered. */
export const NOTICES = ['nudity', 'intimacy', 'stunts'] as const;
export type Notice = (typeof NOTICES)[number];

interface NamedRule {
  /** Unique in its pack. Stored with breaches and waivers. */
  id: string;
  waiver: Waiver;
}

/** The kinds of rules. A rule is data; `check.ts` has one check for each kind. */
export type Rule = NamedRule &
  (
    | { kind: 'notice'; hours: number; minorHours: number; skips: readonly ('weekends' | 'holidays')[] }
    | { kind: 'pages'; first: number; callback: number }
    | { kind: 'maxHeight'; value: number }
    | { kind: 'mustBeFalse'; field: 'memorize' }
    | { kind: 'noFee' }
    | { kind: 'noticeGiven'; notices: readonly Notice[] }
    | { kind: 'neverAsked'; what: 'nudeMaterial' }
    | { kind: 'required'; field: 'liveOption' }
  );

/** Holidays of one region that a pack knows. */
export interface HolidayList {
  name: string;
  /** YYYY-MM-DD, with the days on which they are observed. */
  days: readonly string[];
  /** The last day that the list covers. After it, only weekends are known. */
  until: string;
}

/** The rules that a project follows. */
export interface RulePack {
  id: string;
  /** Stored with each request. Raised when a rule changes. */
  version: number;
  name: string;
  /** Who says so: a line for each source. */
  sources: readonly string[];
  /** When a person last compared it with the sources, YYYY-MM-DD. */
  checkedOn: string;
  /** ISO weekdays that do not count, by the country of the region. */
  weekend: { default: readonly number[] } & Readonly<Record<string, readonly number[]>>;
  /** By region, for example `US` or `GB-ENG`. */
  holidays: Readonly<Record<string, HolidayList>>;
  rules: readonly Rule[];
}

export const definePack = (pack: RulePack): RulePack => pack;
