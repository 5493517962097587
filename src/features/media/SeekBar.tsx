import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { getSeekTarget, toBars } from './waveform.ts';

interface SeekBarProps {
  /** Name of the recording: 'Warm narration'. */
  label: string;
  peaks: readonly number[] | null;
  /** Seconds. */
  at: number;
  length: number;
  onSeek: (to: number) => void;
}

const BARS = 64;

/** A waveform for seeking: by dragging, arrow keys (5 s), Page keys (10 s), Home and End. */
export function SeekBar({ label, peaks, at, length, onSeek }: SeekBarProps) {
  const track = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  const columns = useMemo(() => toBars(peaks, BARS), [peaks]);
  const playedBars = length > 0 ? (at / length) * BARS : 0;
  const seekTo = (clientX: number) => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    onSeek(Math.min(1, Math.max(0, (clientX - box.left) / box.width)) * length);
  };
  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    // Dragging on the waveform must not swipe to another tab.
    event.stopPropagation();
    isDragged.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    seekTo(event.clientX);
  };
  const handleKey = (event: KeyboardEvent) => {
    const to = getSeekTarget(event.key, at, length);
    if (to === null) return;
    event.preventDefault();
    // Arrow keys on the waveform must not switch the surrounding tabs.
    event.stopPropagation();
    onSeek(to);
  };
  return (
    <div
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={`Seek in ${label}`}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={`${Math.round(at)} of ${Math.round(length)} seconds`}
      className="flex min-h-11 cursor-pointer touch-none items-center rounded-lg"
      onPointerDown={handleDown}
      onPointerMove={(event) => isDragged.current && seekTo(event.clientX)}
      onPointerUp={() => (isDragged.current = false)}
      onPointerCancel={() => (isDragged.current = false)}
      onKeyDown={handleKey}
    >
      <svg viewBox={`0 0 ${BARS} 100`} preserveAspectRatio="none" className="h-7 w-full" aria-hidden>
        {columns.map((height, bar) => (
          <rect
            key={bar}
            x={bar + 0.2}
            width={0.6}
            y={50 - height * 50}
            height={height * 100}
            className={bar < playedBars ? 'fill-primary' : 'fill-field'}
          />
        ))}
      </svg>
    </div>
  );
}
