/** Places in a list; the second is not included. */
export interface Span {
  from: number;
  to: number;
}

interface Aim {
  seen: Span;
  /** What is seen and what is near. */
  wanted: Span;
}

/** Of the way that is left, what a frame does: with a thumb at its usual pace one tile. Three at once cost a phone a frame. */
const PART = 1 / 8;

const stepOf = (way: number) => Math.sign(way) * Math.ceil(Math.abs(way) * PART);

/** The span to draw next. What is seen comes at once; what is only near comes and goes little by little. */
export function stepped({ from, to }: Span, { seen, wanted }: Aim): Span {
  const isApart = from > wanted.to || to < wanted.from;
  if (isApart) return seen;
  return {
    from: Math.min(seen.from, from + stepOf(wanted.from - from)),
    to: Math.max(seen.to, to + stepOf(wanted.to - to)),
  };
}
