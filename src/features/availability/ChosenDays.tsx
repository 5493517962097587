import { NotebookPen } from 'lucide-react';
import {
  DAY_STATES,
  type DayState,
  type DayValue,
  getCurrent,
  listDays,
  MAY_EXPIRE,
  NOT_STATED,
} from '#contract/casting/availability.ts';
import type { DayView } from '#db/availability.ts';
import { rangeText } from '#lib/calendar-month.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useSetDays } from '#shared/availability/use-set-days.ts';
import type { DaySetting } from '#sync/queue/availability.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { Link } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { DetailsSheet } from './DetailsSheet.tsx';
import { stateText } from './day-looks.ts';

interface ChosenDaysProps {
  from: string;
  to: string;
  first: string;
  last: string;
  days: ReadonlyMap<string, DayView>;
  auditions: ReadonlyMap<string, string>;
  /** ms since 1970, by the server's clock. */
  now: number;
  thisYear: string;
}

const NOTHING = 'none';
const OPTIONS = [
  ...(Object.keys(DAY_STATES) as DayState[]).map((value) => ({ value: value as string, label: DAY_STATES[value] })),
  { value: NOTHING, label: stateText(null) },
];

const isState = (value: string): value is DayState => value in DAY_STATES;

/** The one value that all of them have; undefined if they differ. */
function getCommon<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** What was said about a day, in another state. What it is kept for goes with a day that is kept for nothing. */
const withState = (value: DayValue, state: DayState | null): DayValue =>
  state === null
    ? NOT_STATED
    : {
        state,
        note: value.note,
        request_id: state === 'free' ? null : value.request_id,
        expires_at: MAY_EXPIRE.includes(state) ? value.expires_at : null,
      };

/** What the chosen days are, and what else is said about them. */
export function ChosenDays({ from, to, first, last, days, auditions, now, thisYear }: ChosenDaysProps) {
  const setDays = useSetDays();
  const editing = useSheetParam('details');
  const dates = listDays(from < first ? first : from, to > last ? last : to);
  const known = dates.map((date) => ({ date, ...getCurrent(days.get(date)?.value ?? NOT_STATED, now) }));
  const views = dates.flatMap((date) => days.get(date) ?? []);
  const state = getCommon(known.map((day) => day.state));
  const note = getCommon(known.map((day) => day.note));
  const expiresAt = getCommon(known.map((day) => day.expires_at));
  const requestId = getCommon(known.map((day) => day.request_id));
  const said = known.filter((day) => day.state !== null);
  const mayEnd = said.filter((day) => MAY_EXPIRE.includes(day.state));
  const sync = (['needs', 'sending', 'phone'] as const).find((each) => views.some((view) => view.state === each));

  const store = (next: readonly DaySetting[], text: string) => {
    // What the person sees here with the mark of two devices, they have looked at.
    const seen = next.map((day) => (days.get(day.date)?.other ? { ...day, looked: true } : day));
    return setDays(seen, known, text);
  };
  const choose = (value: string) => {
    const chosen = isState(value) ? value : null;
    const next = known.map((day) => ({ date: day.date, ...withState(day, chosen) }));
    void toastOnError(store(next, `${count(dates.length, 'day')}: ${stateText(chosen).toLowerCase()}`));
  };
  return (
    <section className="notice grid grid-cols-1 gap-3 p-4" aria-label="Chosen days">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h2 className="text-[1.0625rem] font-bold">{rangeText(from, to, thisYear)}</h2>
          {requestId != null && auditions.has(requestId) && (
            <p className="text-sm text-muted">
              For{' '}
              <Link className="underline" to={`/auditions/${requestId}`}>
                {auditions.get(requestId)}
              </Link>
            </p>
          )}
          {note === undefined && <p className="text-sm text-muted">Different notes</p>}
          {note != null && <p className="text-sm break-words text-muted">{note}</p>}
          {expiresAt != null && (
            <p className="text-sm text-muted">Until {lowerFirst(momentText(Date.parse(expiresAt), now))}</p>
          )}
        </div>
        <StatePill state={sync ?? 'saved'} />
      </div>
      {sync === 'needs' && (
        <p className="text-sm text-needs">
          Some of these days could not be saved.{' '}
          <Link className="underline" to="/waiting">
            See why
          </Link>
        </p>
      )}
      <ChoiceChips
        label={dates.length === 1 ? 'This day is' : `These ${dates.length} days are`}
        name="state"
        options={OPTIONS}
        value={state === undefined ? '' : (state ?? NOTHING)}
        onChange={choose}
      />
      {said.length > 0 && (
        <div>
          <Button look="line" icon={NotebookPen} onClick={() => editing.open()}>
            {state !== undefined && MAY_EXPIRE.includes(state) ? 'Note and end' : 'Note'}
          </Button>
        </div>
      )}
      {editing.isOpen && said.length > 0 && (
        <DetailsSheet
          {...{ from, to, now, thisYear }}
          note={getCommon(said.map((day) => day.note))}
          expiresAt={getCommon(mayEnd.map((day) => day.expires_at))}
          mayExpire={mayEnd.length > 0}
          onClose={editing.close}
          onSave={({ note: newNote, expires_at: end }) => {
            const next = said.map((day) => ({
              ...day,
              ...(newNote !== undefined && { note: newNote }),
              ...(end !== undefined && mayEnd.includes(day) && { expires_at: end }),
            }));
            return store(next, 'Saved');
          }}
        />
      )}
    </section>
  );
}
