/**
 * The two values of a range slider. They are whole numbers within limits, and a moving handle keeps a gap to the other.
 */
export interface Span {
  low: number;
  high: number;
}
export interface SpanLimits {
  min: number;
  max: number;
  gap: number;
}
export type Handle = 'low' | 'high';

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** Moves one handle toward `to`; it stops `gap` short of the other handle, which never moves. */
export function moveHandle(span: Span, handle: Handle, to: number, limits: SpanLimits): Span {
  const { lowest, highest } = reach(span, handle, limits);
  return { ...span, [handle]: clamp(Math.round(to), lowest, highest) };
}

/** The range of a handle. A stored pair that is closer than the gap stays where it is. */
export function reach(span: Span, handle: Handle, limits: SpanLimits): { lowest: number; highest: number } {
  return handle === 'low'
    ? { lowest: limits.min, highest: Math.max(limits.min, span.high - limits.gap) }
    : { lowest: Math.min(limits.max, span.low + limits.gap), highest: limits.max };
}

/** The handle's value after a key press, or null if the key has no effect on a slider. */
export function valueAfterKey(key: string, span: Span, handle: Handle, limits: SpanLimits): number | null {
  const { lowest, highest } = reach(span, handle, limits);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return span[handle] + 1;
    case 'ArrowLeft':
    case 'ArrowDown':
      return span[handle] - 1;
    case 'PageUp':
      return span[handle] + 5;
    case 'PageDown':
      return span[handle] - 5;
    case 'Home':
      return lowest;
    case 'End':
      return highest;
    default:
      return null;
  }
}

/** The handle that a tap on the track moves: the nearer one; if both are equally near, the one on that side. */
export function nearestHandle(span: Span, to: number): Handle {
  const toLow = Math.abs(to - span.low);
  const toHigh = Math.abs(to - span.high);
  if (toLow === toHigh) return to < span.low ? 'low' : 'high';
  return toLow < toHigh ? 'low' : 'high';
}

/** Parses text typed into a handle's box; null while it is not a value within the handle's range. */
export function typedValue(text: string, span: Span, handle: Handle, limits: SpanLimits): number | null {
  if (!/^\d{1,3}$/.test(text.trim())) return null;
  const value = Number(text);
  const { lowest, highest } = reach(span, handle, limits);
  return value >= lowest && value <= highest ? value : null;
}
