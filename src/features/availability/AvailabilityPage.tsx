import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { addDays, DAY_STATES, type DayState } from '#contract/casting/availability.ts';
import { AVAILABILITY_LIMITS } from '#contract/records/availability.ts';
import { type Calendar, readCalendar } from '#db/availability.ts';
import { addMonths, getMonth, monthText, toDay } from '#lib/calendar-month.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { IconButton } from '#ui/Button.tsx';
import { useSearchParams } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';
import { ChosenDays } from './ChosenDays.tsx';
import { DaysToLookAt } from './DaysToLookAt.tsx';
import { LOOKS } from './day-looks.ts';
import { type Choice, getRange, MonthGrid } from './MonthGrid.tsx';

const { daysKept, yearsAhead } = AVAILABILITY_LIMITS;

/** The person's days, read from this device so that they are the same offline. @param audience the setting of who sees them */
export function AvailabilityPage({ audience }: { audience: ReactNode }) {
  const today = toDay(useNow());
  const [first, last] = [addDays(today, 1 - daysKept), addDays(today, yearsAhead * 365)];
  return (
    <CastingPageFrame
      title="Availability"
      query={(db) => readCalendar(db, first, last)}
      deps={[first, last]}
      signInText="Your days are for you, and for those whom you allow."
      noun="page"
    >
      {(calendar) => <Availability calendar={calendar} {...{ today, first, last, audience }} />}
    </CastingPageFrame>
  );
}

interface AvailabilityProps {
  calendar: Calendar;
  today: string;
  first: string;
  last: string;
  audience: ReactNode;
}

function Availability({ calendar, today, first, last, audience }: AvailabilityProps) {
  const id = useId();
  const now = useNow() + calendar.clockOffset;
  // In the address, so that Back leads to the same month.
  const [params, setParams] = useSearchParams();
  const [choice, setChoice] = useState<Choice | null>(null);
  const asked = params.get('month') ?? '';
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(asked) && asked >= getMonth(first) && asked <= getMonth(last);
  const month = isMonth ? asked : getMonth(today);
  const days = new Map(calendar.days.map((day) => [day.date, day]));
  const showMonth = (next: string) => setParams({ month: next }, { replace: true });
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  return (
    <div className="mx-auto grid max-w-2xl grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <h1 className="px-1 text-2xl font-bold max-md:sr-only">Availability</h1>
      <DaysToLookAt days={calendar.days.filter(({ other }) => other !== null)} thisYear={today.slice(0, 4)} />
      <section className="notice p-3" aria-labelledby={id}>
        <div className="flex items-center pb-1">
          <IconButton
            label={monthText(before)}
            icon={ChevronLeft}
            disabled={before < getMonth(first)}
            onClick={() => showMonth(before)}
          />
          <h2 id={id} className="grow text-center text-lg font-bold" aria-live="polite">
            {monthText(month)}
          </h2>
          <IconButton
            label={monthText(after)}
            icon={ChevronRight}
            disabled={after > getMonth(last)}
            onClick={() => showMonth(after)}
          />
        </div>
        <MonthGrid
          {...{ month, today, now, first, last, days, choice }}
          labelledBy={id}
          onChoose={setChoice}
          onMonthChange={showMonth}
        />
        <Legend />
      </section>
      {choice === null ? (
        <p className="px-1 text-muted">Choose a day, or drag over several, and say what they are.</p>
      ) : (
        <ChosenDays
          key={`${getRange(choice).from} ${getRange(choice).to}`}
          {...getRange(choice)}
          {...{ days, now, first, last }}
          auditions={calendar.auditions}
          thisYear={today.slice(0, 4)}
        />
      )}
      {audience}
    </div>
  );
}

const Legend = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-2 px-1 pt-2 text-sm">
    {(Object.keys(DAY_STATES) as DayState[]).map((state) => (
      <li key={state} className="flex items-center gap-1.5">
        <span
          className={`grid h-6 place-items-center rounded-md px-1.5 text-2xs ${LOOKS[state].className}`}
          aria-hidden
        >
          {LOOKS[state].word}
        </span>
        {DAY_STATES[state]}
      </li>
    ))}
    <li className="flex items-center gap-1.5">
      <span className="size-6 rounded-md border border-base-300 bg-base-100" aria-hidden />
      Not stated
    </li>
  </ul>
);
