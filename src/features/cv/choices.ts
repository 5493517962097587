import * as z from 'zod/mini';

/** Who a CV is made for. `casting`: a casting side that it is sent to, by the owner's own decision. */
export const AUDIENCES = ['casting', 'connections', 'public'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The number of pages that a CV may fill. */
export const LAYOUTS = ['one', 'two'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The parts below the head of a CV. The owner chooses their order. */
export const PARTS = ['credits', 'training', 'skills', 'voice', 'awards', 'links'] as const;
export type PartKey = (typeof PARTS)[number];

/** What stands in the head of a CV. It can be left out, but not moved. */
export const HEAD_PARTS = ['portrait', 'code', 'city', 'age', 'attributes', 'languages', 'contacts'] as const;
export type HeadKey = (typeof HEAD_PARTS)[number];

/** Colors of the name, headings and lines, each with a contrast of at least 7 to 1 on white. */
export const ACCENTS = {
  green: '#134834',
  ink: '#17231d',
  blue: '#173f73',
  plum: '#5b2147',
  brick: '#7a2516',
} as const;
export type Accent = keyof typeof ACCENTS;

const ACCENT_NAMES = ['green', 'ink', 'blue', 'plum', 'brick'] as const satisfies readonly Accent[];

/** What the owner chose for the CV of one profile. */
export interface CvChoices {
  audience: Audience;
  layout: Layout;
  accent: Accent;
  /** Every part once. */
  order: readonly PartKey[];
  leftOut: readonly (PartKey | HeadKey)[];
  /** Printed for casting only if the owner says so for this CV. */
  dayRate: boolean;
  ownContact: boolean;
}

export const DEFAULT_CHOICES: CvChoices = {
  audience: 'casting',
  layout: 'one',
  accent: 'green',
  order: PARTS,
  leftOut: [],
  dayRate: false,
  ownContact: false,
};

/** Each field falls back to its default alone, so that choices of an older or newer app keep what this one understands. */
const stored = z.object({
  audience: z.catch(z.enum(AUDIENCES), DEFAULT_CHOICES.audience),
  layout: z.catch(z.enum(LAYOUTS), DEFAULT_CHOICES.layout),
  accent: z.catch(z.enum(ACCENT_NAMES), DEFAULT_CHOICES.accent),
  order: z.catch(z.array(z.string()), []),
  leftOut: z.catch(z.array(z.string()), []),
  dayRate: z.catch(z.boolean(), false),
  ownContact: z.catch(z.boolean(), false),
});

/** Reads choices that this device stored, of any version of the app. */
export function parseChoices(values: unknown): CvChoices {
  const read = stored.safeParse(values);
  if (!read.success) return DEFAULT_CHOICES;
  const { order, leftOut, ...others } = read.data;
  const known = order.flatMap((key) => PARTS.find((part) => part === key) ?? []);
  return {
    ...others,
    order: [...new Set([...known, ...PARTS])],
    leftOut: [...PARTS, ...HEAD_PARTS].filter((key) => leftOut.includes(key)),
  };
}

/** Moves a part one place up or down. */
export function movePart(order: readonly PartKey[], key: PartKey, step: -1 | 1): PartKey[] {
  const next = order.filter((each) => each !== key);
  next.splice(Math.max(0, order.indexOf(key) + step), 0, key);
  return next;
}
