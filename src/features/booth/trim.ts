/** The in and out points of a take, moved in tenths of a second. */
import type { Take } from '#db/rows.ts';
import { type Handle, moveHandle, reach, type Span, type SpanLimits } from '#lib/span.ts';

const PER_SECOND = 10;
/** The shortest part: one second, which has a key picture. */
const SHORTEST = 1 * PER_SECOND;

type Trimmed = Pick<Take, 'range' | 'duration'>;

/** Tenths of a second that a take has. */
export const getLimits = ({ duration }: Trimmed): SpanLimits => ({
  min: 0,
  max: Math.max(SHORTEST, Math.floor(duration * PER_SECOND)),
  gap: SHORTEST,
});

export function toSpan(take: Trimmed): Span {
  const { max } = getLimits(take);
  if (take.range === null) return { low: 0, high: max };
  return { low: Math.round(take.range.from * PER_SECOND), high: Math.min(max, Math.round(take.range.to * PER_SECOND)) };
}

/** The part that a span stands for; null if it is the whole take. */
export function toRange(span: Span, { max }: SpanLimits): Take['range'] {
  return span.low <= 0 && span.high >= max ? null : { from: span.low / PER_SECOND, to: span.high / PER_SECOND };
}

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: PER_SECOND,
  PageDown: -PER_SECOND,
};

/** The span after a key on one of its handles: arrows a tenth of a second, Page keys a second; null for other keys. */
export function spanAfterKey(key: string, span: Span, handle: Handle, limits: SpanLimits): Span | null {
  const step = KEY_STEPS[key];
  if (step !== undefined) return moveHandle(span, handle, span[handle] + step, limits);
  const { lowest, highest } = reach(span, handle, limits);
  if (key === 'Home') return { ...span, [handle]: lowest };
  return key === 'End' ? { ...span, [handle]: highest } : null;
}

/** '1:02.4' */
export function formatTenths(tenths: number): string {
  const minutes = Math.floor(tenths / (60 * PER_SECOND));
  const seconds = (tenths - minutes * 60 * PER_SECOND) / PER_SECOND;
  return `${minutes}:${seconds.toFixed(1).padStart(4, '0')}`;
}
