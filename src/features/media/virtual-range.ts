/** Indexes in a list; `to` is exclusive. */
export interface IndexRange {
  from: number;
  to: number;
}

interface RangeTargets {
  /** The visible items. */
  seen: IndexRange;
  /** The visible items and those near them. */
  wanted: IndexRange;
}

/**
 * Share of the remaining change per frame: about one tile at usual scroll speed. Three tiles at once drop a frame on a
 * phone.
 */
const STEP_SHARE = 1 / 8;

const toStep = (distance: number) => Math.sign(distance) * Math.ceil(Math.abs(distance) * STEP_SHARE);

/** The range to render next. Visible items are added at once; nearby ones are added and removed gradually. */
export function stepRange({ from, to }: IndexRange, { seen, wanted }: RangeTargets): IndexRange {
  const isDisjoint = from > wanted.to || to < wanted.from;
  if (isDisjoint) return seen;
  return {
    from: Math.min(seen.from, from + toStep(wanted.from - from)),
    to: Math.max(seen.to, to + toStep(wanted.to - to)),
  };
}
