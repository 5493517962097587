import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { addDays, getCurrent } from '#contract/casting/availability.ts';
import type { DayView } from '#db/availability.ts';
import { addMonthsToDay, getMonth, getWeekday, getWeeks, WEEKDAYS, weekdayText } from '#lib/calendar-month.ts';
import { stateWord } from '#ui/StatePill.tsx';
import { LOOKS, stateText } from './day-looks.ts';

/** Days that are chosen together. `anchor`: where the choice began. */
export interface Choice {
  anchor: string;
  end: string;
}

export const getRange = ({ anchor, end }: Choice): { from: string; to: string } =>
  anchor < end ? { from: anchor, to: end } : { from: end, to: anchor };

interface MonthGridProps {
  /** '2027-01' */
  month: string;
  labelledBy: string;
  today: string;
  /** ms since 1970, by the server's clock. */
  now: number;
  /** The first and the last day that can be chosen. */
  first: string;
  last: string;
  days: ReadonlyMap<string, DayView>;
  choice: Choice | null;
  onChoose: (choice: Choice | null) => void;
  onMonthChange: (month: string) => void;
}

/** How far each key moves; the last two are by month. */
function getTarget(key: string, date: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1);
    case 'ArrowRight':
      return addDays(date, 1);
    case 'ArrowUp':
      return addDays(date, -7);
    case 'ArrowDown':
      return addDays(date, 7);
    case 'Home':
      return addDays(date, -getWeekday(date));
    case 'End':
      return addDays(date, 6 - getWeekday(date));
    case 'PageUp':
      return addMonthsToDay(date, -1);
    case 'PageDown':
      return addMonthsToDay(date, 1);
    default:
      return null;
  }
}

const findDate = (element: Element | null | undefined): string | null =>
  element?.closest('[data-date]')?.getAttribute('data-date') ?? null;

/**
 * A month of days to choose from: with a tap, by dragging over several, with Shift, or with the keys of a calendar. One day is in the tab
 * order, and the arrow keys move from there.
 */
export function MonthGrid(props: MonthGridProps) {
  const { month, labelledBy, today, first, last, choice, onChoose, onMonthChange } = props;
  const [focused, setFocused] = useState(choice?.end ?? today);
  const mustFocus = useRef(false);
  /** The day on which a finger or the mouse went down. */
  const dragFrom = useRef<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const tabbable = getMonth(focused) === month ? focused : `${month}-01`;
  useEffect(() => {
    if (!mustFocus.current) return;
    mustFocus.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${tabbable}"]`)?.focus();
  }, [tabbable]);

  const clamp = (date: string) => (date < first ? first : date > last ? last : date);
  const choose = (date: string, isExtended: boolean) => {
    setFocused(date);
    onChoose({ anchor: isExtended && choice ? choice.anchor : date, end: date });
  };
  const handleKey = (event: KeyboardEvent) => {
    const date = findDate(event.target as Element);
    if (date === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && choice !== null) {
      event.preventDefault();
      return onChoose(null);
    }
    const target = getTarget(event.key, date);
    if (target === null) return;
    event.preventDefault();
    const next = clamp(target);
    mustFocus.current = true;
    setFocused(next);
    if (event.shiftKey) onChoose({ anchor: choice?.anchor ?? date, end: next });
    if (getMonth(next) !== month) onMonthChange(getMonth(next));
  };
  const handleDown = (event: PointerEvent) => {
    dragFrom.current = event.button === 0 && !event.shiftKey ? findDate(event.target as Element) : null;
  };
  const handleMove = (event: PointerEvent) => {
    // The mouse was released outside of the calendar, which therefore has not heard of it.
    if (event.buttons === 0) return stop();
    const anchor = dragFrom.current;
    const end = anchor && findDate(document.elementFromPoint(event.clientX, event.clientY));
    // A finger that stays on one day taps it.
    if (anchor === null || end === null || (end === anchor && choice?.anchor !== anchor) || end === choice?.end) return;
    setFocused(end);
    onChoose({ anchor, end });
  };
  const stop = () => void (dragFrom.current = null);

  return (
    <div
      ref={grid}
      role="grid"
      aria-labelledby={labelledBy}
      aria-multiselectable="true"
      className="touch-pan-y select-none"
      onKeyDown={handleKey}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={stop}
      onPointerCancel={stop}
    >
      <div role="row" className="grid grid-cols-7 pb-1 text-center text-xs font-semibold text-muted">
        {WEEKDAYS.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      {getWeeks(month).map((week) => (
        <div key={week.find(Boolean)} role="row" className="grid grid-cols-7 gap-1 pb-1">
          {week.map((date, n) =>
            date === null ? (
              <span key={n} role="gridcell" />
            ) : (
              <Day
                key={date}
                {...props}
                date={date}
                isTabbable={date === tabbable}
                onClick={(isExtended) => choose(date, isExtended)}
              />
            ),
          )}
        </div>
      ))}
    </div>
  );
}

interface DayProps extends MonthGridProps {
  date: string;
  isTabbable: boolean;
  onClick: (isExtended: boolean) => void;
}

function Day({ date, days, choice, today, now, first, last, isTabbable, onClick }: DayProps) {
  const day = days.get(date);
  const { state } = day ? getCurrent(day.value, now) : { state: null };
  const look = state && LOOKS[state];
  const range = choice && getRange(choice);
  const isChosen = range !== null && date >= range.from && date <= range.to;
  const isWaiting = day !== undefined && day.state !== 'saved';
  const label = [
    weekdayText(date, today.slice(0, 4)),
    stateText(state),
    ...(date === today ? ['today'] : []),
    ...(day?.other ? ['changed on two devices'] : []),
    ...(isWaiting ? [stateWord(day.state).toLowerCase()] : []),
  ];
  return (
    <button
      type="button"
      role="gridcell"
      data-date={date}
      aria-label={label.join(', ')}
      aria-selected={isChosen}
      aria-current={date === today ? 'date' : undefined}
      disabled={date < first || date > last}
      tabIndex={isTabbable ? 0 : -1}
      className={`relative flex min-h-13 min-w-0 cursor-pointer flex-col items-center justify-center rounded-lg leading-tight disabled:opacity-40 ${
        look?.className ?? 'border border-base-300 bg-base-100'
      } ${isChosen ? 'outline-3 outline-offset-1 outline-chosen' : ''} ${date < today ? 'opacity-70' : ''}`}
      onClick={(event) => onClick(event.shiftKey)}
    >
      <span className={`num text-[0.9375rem] font-semibold ${date === today ? 'underline underline-offset-3' : ''}`}>
        {Number(date.slice(8))}
      </span>
      <span className="max-w-full truncate text-2xs" aria-hidden>
        {look?.word ?? ''}
      </span>
      {isWaiting && <span className="absolute top-1 right-1 size-2 rounded-full bg-phone ring-2 ring-base-100" />}
      {day?.other && (
        <span
          className="absolute top-0.5 left-0.5 grid size-4 place-items-center rounded-full bg-needs-tint text-2xs font-bold text-needs"
          aria-hidden
        >
          !
        </span>
      )}
    </button>
  );
}
