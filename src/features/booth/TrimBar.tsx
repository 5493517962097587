import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Take } from '#db/rows.ts';
import { type Handle, moveHandle, nearestHandle, reach, type Span } from '#lib/span.ts';
import { Button } from '#ui/Button.tsx';
import { useFilmStrip } from './use-film-strip.ts';
import { formatTenths, getLimits, spanAfterKey, toRange, toSpan } from './trim.ts';

interface TrimBarProps {
  take: Take;
  /** Address of the recording. */
  url: string;
  /** Shows the picture at this time while a handle moves. */
  onSeek: (seconds: number) => void;
  onChange: (range: Take['range']) => void;
}

const NAMES: Record<Handle, string> = { low: 'In', high: 'Out' };
const PER_SECOND = 10;
const isSame = (a: Span, b: Span) => a.low === b.low && a.high === b.high;

/** Two handles for the beginning and the end of what is kept. The recording itself stays whole. */
export function TrimBar({ take, url, onSeek, onChange }: TrimBarProps) {
  const pictures = useFilmStrip(url, take.duration);
  const limits = getLimits(take);
  const saved = toSpan(take);
  // While a handle is being dragged, nothing is stored.
  const [dragged, setDragged] = useState<{ handle: Handle; span: Span } | null>(null);
  // What is being stored counts already, so that a key that is pressed again at once moves on from there.
  const [pending, setPending] = useState<Span | null>(null);
  if (pending !== null && isSame(pending, saved)) setPending(null);
  const span = dragged?.span ?? pending ?? saved;
  const track = useRef<HTMLDivElement>(null);
  const toPercent = (tenths: number) => (tenths / limits.max) * 100;
  const store = (next: Span) => {
    if (isSame(next, pending ?? saved)) return;
    setPending(next);
    onChange(toRange(next, limits));
  };
  const valueAt = (clientX: number) => {
    const box = track.current?.getBoundingClientRect();
    return !box || box.width === 0 ? 0 : ((clientX - box.left) / box.width) * limits.max;
  };
  const drag = (handle: Handle, to: number) => {
    const moved = moveHandle(span, handle, to, limits);
    setDragged({ handle, span: moved });
    onSeek(moved[handle] / PER_SECOND);
  };
  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const handle = nearestHandle(span, valueAt(event.clientX));
    event.currentTarget.querySelector<HTMLElement>(`[data-handle="${handle}"]`)?.focus({ preventScroll: true });
    drag(handle, valueAt(event.clientX));
  };
  const handleUp = () => {
    if (dragged) store(dragged.span);
    setDragged(null);
  };
  const handleKey = (handle: Handle) => (event: KeyboardEvent) => {
    const next = spanAfterKey(event.key, span, handle, limits);
    if (next === null) return;
    event.preventDefault();
    store(next);
    onSeek(next[handle] / PER_SECOND);
  };
  return (
    <fieldset>
      <legend className="sr-only">Trim {take.name}</legend>
      <div
        ref={track}
        className="relative mx-3 h-12 cursor-pointer touch-none rounded-lg bg-base-300"
        onPointerDown={handleDown}
        onPointerMove={(event) => dragged && drag(dragged.handle, valueAt(event.clientX))}
        onPointerUp={handleUp}
        onPointerCancel={() => setDragged(null)}
      >
        <span className="absolute inset-0 flex overflow-hidden">
          {pictures.map((address) => (
            <img key={address} src={address} alt="" className="h-full w-1/8 object-cover" draggable={false} />
          ))}
        </span>
        <span className="absolute inset-y-0 left-0 bg-base-300/75" style={{ width: `${toPercent(span.low)}%` }} />
        <span
          className="absolute inset-y-0 right-0 bg-base-300/75"
          style={{ width: `${100 - toPercent(span.high)}%` }}
        />
        <span
          className="absolute inset-y-0 border-y-3 border-accent"
          style={{ left: `${toPercent(span.low)}%`, right: `${100 - toPercent(span.high)}%` }}
        />
        {(['low', 'high'] as const).map((handle) => {
          const { lowest, highest } = reach(span, handle, limits);
          return (
            <span
              key={handle}
              role="slider"
              tabIndex={0}
              data-handle={handle}
              aria-label={NAMES[handle]}
              aria-valuemin={lowest}
              aria-valuemax={highest}
              aria-valuenow={span[handle]}
              aria-valuetext={formatTenths(span[handle])}
              className={`absolute inset-y-0 w-5 bg-accent after:absolute after:-inset-x-3 after:inset-y-0 ${
                handle === 'low' ? '-translate-x-full rounded-l-lg' : 'rounded-r-lg'
              }`}
              style={{ left: `${toPercent(span[handle])}%` }}
              onKeyDown={handleKey(handle)}
            />
          );
        })}
      </div>
      <p className="num mt-2 flex min-h-11 items-center gap-2 text-sm">
        <span className="grow">
          {formatTenths(span.low)} to {formatTenths(span.high)}
          <span className="text-muted"> · {((span.high - span.low) / PER_SECOND).toFixed(1)} s</span>
        </span>
        {take.range !== null && (
          <Button look="plain" onClick={() => store({ low: limits.min, high: limits.max })}>
            Use all of it
          </Button>
        )}
      </p>
    </fieldset>
  );
}
