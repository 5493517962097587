import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import {
  moveHandle,
  nearestHandle,
  reach,
  typedValue,
  valueAfterKey,
  type Handle,
  type Span,
  type SpanLimits,
} from '#lib/span.ts';
import { FieldError } from './FieldError.tsx';

interface RangeSliderProps {
  label: string;
  /** Names of the two handles: 'Youngest', 'Oldest'. */
  names: Record<Handle, string>;
  value: Span;
  limits: SpanLimits;
  onChange: (value: Span) => void;
  /** Nothing is chosen yet: the boxes are empty, and the handles show `value` until one is moved. */
  isEmpty?: boolean;
  /** Called when a box is emptied; without it, the box shows its value again. */
  onClear?: () => void;
  hint?: string;
  error?: string | undefined;
  /** For narrow columns: puts the label on a line of its own. */
  isNarrow?: boolean;
}

/**
 * A slider with two handles and two boxes that stay in sync. Arrow keys move by 1, Page keys by 5, Home and End to the
 * limit.
 */
export function RangeSlider(props: RangeSliderProps) {
  const { label, names, value, limits, onChange, isEmpty = false, onClear, hint, error, isNarrow } = props;
  const id = useId();
  const track = useRef<HTMLDivElement>(null);
  const dragged = useRef<Handle | null>(null);
  const toPercent = (of: number) => ((of - limits.min) / (limits.max - limits.min)) * 100;
  const move = (handle: Handle, to: number) => {
    const moved = moveHandle(value, handle, to, limits);
    // The first touch chooses the shown values, even if it does not move a handle.
    if (isEmpty || moved[handle] !== value[handle]) onChange(moved);
  };
  const valueAt = (clientX: number) => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.width === 0) return limits.min;
    return limits.min + ((clientX - box.left) / box.width) * (limits.max - limits.min);
  };

  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const to = valueAt(event.clientX);
    const isOnHandle = (event.target as HTMLElement).dataset['handle'] !== undefined;
    // At the smallest gap the touch areas overlap: move the nearer handle, not the one rendered last.
    const handle = nearestHandle(value, to);
    dragged.current = handle;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.querySelector<HTMLElement>(`[data-handle="${handle}"]`)?.focus({ preventScroll: true });
    event.preventDefault();
    // Grabbing a handle off its center must not move it; a tap on the track must.
    if (!isOnHandle) move(handle, to);
  };
  const handleMove = (event: PointerEvent<HTMLDivElement>) => {
    if (dragged.current) move(dragged.current, valueAt(event.clientX));
  };
  const handleUp = () => {
    dragged.current = null;
  };
  const handleKey = (handle: Handle) => (event: KeyboardEvent) => {
    const to = valueAfterKey(event.key, value, handle, limits);
    if (to === null) return;
    event.preventDefault();
    move(handle, to);
  };
  const box = { value, limits, move, error, isEmpty, onClear };
  const quarters = [0, 1, 2, 3, 4].map((n) => limits.min + ((limits.max - limits.min) / 4) * n);

  return (
    <fieldset className="rounded-2xl bg-base-200 p-4" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <span className={`font-semibold ${isNarrow ? 'w-full' : 'grow'}`} aria-hidden>
          {label}
        </span>
        <AgeBox name={names.low} handle="low" {...box} />
        <span className="text-sm text-muted">to</span>
        <AgeBox name={names.high} handle="high" {...box} />
      </div>
      <div
        className="relative mx-2 cursor-pointer touch-none py-6"
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={handleUp}
      >
        <div className={`band ${isEmpty ? 'opacity-50' : ''}`} ref={track}>
          <i style={{ left: `${toPercent(value.low)}%`, right: `${100 - toPercent(value.high)}%` }} />
          {(['low', 'high'] as const).map((handle) => {
            const { lowest, highest } = reach(value, handle, limits);
            return (
              <span
                key={handle}
                className="thumb"
                style={{ left: `${toPercent(value[handle])}%` }}
                role="slider"
                tabIndex={0}
                data-handle={handle}
                aria-label={names[handle]}
                aria-valuemin={lowest}
                aria-valuemax={highest}
                aria-valuenow={value[handle]}
                aria-valuetext={isEmpty ? 'Not set' : undefined}
                onKeyDown={handleKey(handle)}
              />
            );
          })}
        </div>
      </div>
      <div className="num -mx-2 -mt-2 flex justify-between text-xs text-muted" aria-hidden>
        {quarters.map((quarter) => (
          <span key={quarter} className="w-8 text-center">
            {quarter}
          </span>
        ))}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-2 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

interface AgeBoxProps {
  name: string;
  handle: Handle;
  value: Span;
  limits: SpanLimits;
  move: (handle: Handle, to: number) => void;
  error: string | undefined;
  isEmpty: boolean;
  onClear: (() => void) | undefined;
}

/** Shows the handle's value, except while the user types: '2' on the way to '26' must not move the handle. */
function AgeBox({ name, handle, value, limits, move, error, isEmpty, onClear }: AgeBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const handleChange = (text: string) => {
    setTyped(text);
    const to = typedValue(text, value, handle, limits);
    if (to !== null) move(handle, to);
  };
  const commitTyped = () => {
    if (typed !== null && /^\d+$/.test(typed.trim())) move(handle, Number(typed));
    else if (typed?.trim() === '' && !isEmpty) onClear?.();
    setTyped(null);
  };
  return (
    <input
      className={`input num !min-h-11 !w-16 text-center font-semibold ${error ? 'is-invalid' : ''}`}
      aria-label={`${name} age`}
      aria-invalid={error ? true : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? (isEmpty ? '' : String(value[handle]))}
      onFocus={(event) => event.target.select()}
      onChange={(event) => handleChange(event.target.value)}
      onBlur={commitTyped}
      onKeyDown={(event) => {
        // Enter submits the form before the blur event.
        if (event.key === 'Enter') commitTyped();
        const to =
          event.key === 'ArrowUp' || event.key === 'ArrowDown' ? valueAfterKey(event.key, value, handle, limits) : null;
        if (to === null) return;
        event.preventDefault();
        setTyped(null);
        move(handle, to);
      }}
    />
  );
}
