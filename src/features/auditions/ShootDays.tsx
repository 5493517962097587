import { CalendarCheck, CalendarX } from 'lucide-react';
import {
  DAY_STATES,
  type DayState,
  getCurrent,
  getShootDates,
  isTaken,
  MAY_EXPIRE,
  NOT_STATED,
} from '#contract/casting/availability.ts';
import type { AnswerKind } from '#contract/casting/state.ts';
import type { Audition } from '#contract/records/casting.ts';
import { readCalendar } from '#db/availability.ts';
import { getMonth, rangesText, toDay } from '#lib/calendar-month.ts';
import { count } from '#lib/text.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useSetDays } from '#shared/availability/use-set-days.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { Link } from '#ui/router.tsx';

/** What an answer proposes for the days of the shoot. */
const PROPOSALS: Partial<Record<AnswerKind, { state: DayState; text: string; label: string }>> = {
  pencil: { state: 'pencilled', text: 'You are pencilled for', label: 'Pencil these days' },
  cast: { state: 'booked', text: 'You are cast for', label: 'Book these days' },
};

interface ShootDaysProps {
  id: string;
  audition: Audition;
  /** Whether the performer can still say yes. */
  isOpen: boolean;
  /** ms since 1970 */
  now: number;
}

/**
 * What the performer has said about the days of the shoot: which of them are promised to something else, and, after an answer, a way to keep
 * them. It is read from this device, and nobody else learns of it.
 */
export function ShootDays({ id, audition, isOpen, now }: ShootDaysProps) {
  const setDays = useSetDays();
  const today = toDay(now);
  const dates = getShootDates(audition).filter((date) => date >= today);
  const [first = today, last = today] = [dates[0], dates.at(-1)];
  const calendar = useQuery((db) => readCalendar(db, first, last), [first, last]);
  const proposal = PROPOSALS[audition.answers.at(-1)?.kind ?? 'no_thank_you'];
  if (calendar === undefined || dates.length === 0 || audition.withdrawn_at !== null) return null;
  const views = new Map(calendar.days.map((day) => [day.date, day]));
  const days = dates.map((date) => ({
    date,
    ...getCurrent(views.get(date)?.value ?? NOT_STATED, now + calendar.clockOffset),
  }));
  const thisYear = today.slice(0, 4);
  const toText = (some: readonly { date: string }[]) =>
    rangesText(
      some.map(({ date }) => date),
      thisYear,
    );
  const taken = days.filter((day) => isTaken(day, id));
  const free = days.filter((day) => !isTaken(day, id));
  const toKeep = proposal === undefined ? [] : free.filter((day) => day.state !== proposal.state);
  const keep = () => {
    if (proposal === undefined) return;
    const { state } = proposal;
    const next = toKeep.map((day) => ({
      ...day,
      state,
      request_id: id,
      expires_at: MAY_EXPIRE.includes(state) ? day.expires_at : null,
    }));
    void toastOnError(setDays(next, toKeep, `${count(next.length, 'day')} ${state}`));
  };
  return (
    <>
      {taken.length > 0 && (isOpen || proposal !== undefined) && (
        <section className="flex gap-3 rounded-box bg-needs-tint p-4 text-needs" aria-label="Shoot days that clash">
          <CalendarX className="ic mt-0.5 shrink-0" aria-hidden />
          <div className="min-w-0">
            <p className="font-bold">
              You are not free on {taken.length} of {count(dates.length, 'shoot day')}
            </p>
            <ul className="text-sm break-words">
              {(Object.keys(DAY_STATES) as DayState[]).map((state) => {
                const some = taken.filter((day) => day.state === state);
                return some.length === 0 ? null : (
                  <li key={state}>
                    {DAY_STATES[state]}: {toText(some)}
                  </li>
                );
              })}
            </ul>
            <p className="text-sm">
              Nobody else sees this.{' '}
              <Link className="underline" to={`/availability?month=${getMonth(taken[0]?.date ?? today)}`}>
                Open your availability
              </Link>
            </p>
          </div>
        </section>
      )}
      {proposal !== undefined && free.length > 0 && (
        <section className="notice flex flex-wrap items-center gap-3 p-4" aria-label="Keep the shoot days">
          <p className="min-w-0 grow basis-52 break-words">
            {toKeep.length > 0
              ? `${proposal.text} ${toText(toKeep)}.`
              : `${toText(free)}: ${DAY_STATES[proposal.state].toLowerCase()} in your availability.`}
          </p>
          {toKeep.length > 0 && (
            <Button look="tonal" icon={CalendarCheck} onClick={keep}>
              {proposal.label}
            </Button>
          )}
        </section>
      )}
    </>
  );
}
