/** Places in a list; the second is not included. */
export interface Span {
  from: number;
  to: number;
}

/** What is to be drawn of a grid. Both begin and end with a row. */
interface Aim {
  seen: Span;
  /** What is seen and what is near. */
  wanted: Span;
  columns: number;
}

/** Frames in which a span comes up to a thumb that moves, if it does not move on. */
const STEPS = 6;

/**
 * The next span to draw. What is seen comes at once; what is only near comes and goes by whole rows, one end at a time, and
 * what is needed goes before what is not. By rows, for a frame costs nearly the same with one tile that changes as with three.
 */
export function stepped(now: Span, { seen, wanted, columns }: Aim): Span {
  const { from, to } = now;
  if (from > seen.from || to < seen.to) {
    const isApart = from >= wanted.to || to <= wanted.from;
    if (isApart) return seen;
    return {
      from: Math.min(seen.from, Math.max(from, wanted.from)),
      to: Math.max(seen.to, Math.min(to, wanted.to)),
    };
  }
  const part = (way: number) => {
    const size = columns * Math.ceil(Math.abs(way) / columns / STEPS);
    return Math.sign(way) * Math.min(Math.abs(way), size);
  };
  if (to < wanted.to) return { from, to: to + part(wanted.to - to) };
  if (from !== wanted.from) return { from: from + part(wanted.from - from), to };
  return { from, to: to + part(wanted.to - to) };
}
