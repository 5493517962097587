import { NOT_STATED } from '#contract/casting/availability.ts';
import type { DayView } from '#db/availability.ts';
import { weekdayText } from '#lib/calendar-month.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useSetDays } from '#shared/availability/use-set-days.ts';
import type { DaySetting } from '#sync/queue/availability.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { focusPage } from '#ui/pass-focus.ts';
import { getChoiceTexts, versionText } from './day-looks.ts';

/** Days shown at once. The next come when these are done. */
const MAX_SHOWN = 10;

/** Days to which two devices said different things: one of the two was kept, and the person has not looked at it yet. */
export function DaysToLookAt({ days, thisYear }: { days: readonly DayView[]; thisYear: string }) {
  if (days.length === 0) return null;
  return (
    <Card title="Changed on two devices" count={days.length}>
      <p className="text-sm text-muted">One of the two was kept. Is it right?</p>
      <ul>
        {days.slice(0, MAX_SHOWN).map((day) => (
          <DayToLookAt key={day.date} day={day} thisYear={thisYear} />
        ))}
      </ul>
    </Card>
  );
}

function DayToLookAt({ day, thisYear }: { day: DayView; thisYear: string }) {
  const setDays = useSetDays();
  const { date, value, other } = day;
  if (other === null) return null;
  const name = weekdayText(date, thisYear);
  const before = [{ date, ...value }];
  const texts = getChoiceTexts(value, other);
  const decide = (next: DaySetting) => {
    focusPage();
    void toastOnError(setDays([{ ...next, looked: true }], before, `${name}: ${versionText(next)}`));
  };
  const replaced =
    other.state === null ? NOT_STATED : { ...NOT_STATED, ...other, expires_at: other.expires_at ?? null };
  return (
    <li className="border-t border-base-300 py-3 first:border-t-0">
      <p className="font-semibold">{name}</p>
      <p className="text-sm break-words text-muted">
        {versionText(value)}. The other device said: {versionText(other)}.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="tonal" onClick={() => decide({ date, ...value })}>
          <span>
            {texts.keep}
            <span className="sr-only"> on {name}</span>
          </span>
        </Button>
        <Button look="line" onClick={() => decide({ date, ...replaced })}>
          <span>
            {texts.use}
            <span className="sr-only"> on {name}</span>
          </span>
        </Button>
      </div>
    </li>
  );
}
