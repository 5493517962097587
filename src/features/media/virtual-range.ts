/** Places in a list; the second is not included. */
export interface IndexRange {
  from: number;
  to: number;
}

interface RangeTargets {
  seen: IndexRange;
  /** What is seen and what is near. */
  wanted: IndexRange;
}

/** Of the way that is left, what a frame does: with a thumb at its usual pace one tile. Three at once cost a phone a frame. */
const STEP_SHARE = 1 / 8;

const toStep = (way: number) => Math.sign(way) * Math.ceil(Math.abs(way) * STEP_SHARE);

/** The span to draw next. What is seen comes at once; what is only near comes and goes little by little. */
export function stepRange({ from, to }: IndexRange, { seen, wanted }: RangeTargets): IndexRange {
  const isApart = from > wanted.to || to < wanted.from;
  if (isApart) return seen;
  return {
    from: Math.min(seen.from, from + toStep(wanted.from - from)),
    to: Math.max(seen.to, to + toStep(wanted.to - to)),
  };
}
