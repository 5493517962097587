import { RefreshCw } from 'lucide-react';
import type { SeenDay } from '#contract/records/availability.ts';
import { daysOfMonthText, getMonth, monthText, rangesText, toDay } from '#lib/calendar-month.ts';
import { Button } from '#ui/Button.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { useNow } from '#ui/use-now.ts';
import { useSeenDays } from './use-seen-days.ts';

interface SeenDaysSheetProps {
  profileId: string;
  name: string;
  /** Days of a shoot, in order: what is said about them comes first. */
  shootDates?: readonly string[];
  onClose: () => void;
}

/** On which days somebody is free, if they show it to this person. */
export function SeenDaysSheet({ profileId, name, shootDates = [], onClose }: SeenDaysSheetProps) {
  const today = toDay(useNow());
  const { seen, retry } = useSeenDays(profileId, today);
  return (
    <Sheet title={`When ${name} is free`} onClose={onClose}>
      {seen.status === 'loading' && (
        <Loading label={`Loading when ${name} is free`}>
          <Skeleton className="h-32 w-full" />
        </Loading>
      )}
      {seen.status === 'hidden' && (
        <p className="break-words text-muted">{name} does not show you on which days they are free.</p>
      )}
      {seen.status === 'failed' && (
        <>
          <p className="text-muted">
            {seen.error.reason === 'network' ? 'You can see this when you’re back online.' : seen.error.message}
          </p>
          <Button look="line" icon={RefreshCw} className="mt-3" onClick={retry}>
            Try again
          </Button>
        </>
      )}
      {seen.status === 'loaded' && (
        <div className="grid grid-cols-1 gap-4">
          <ShootDays days={seen.days} dates={shootDates.filter((date) => date >= today)} thisYear={today.slice(0, 4)} />
          <Months days={seen.days} name={name} />
        </div>
      )}
    </Sheet>
  );
}

/** What somebody says about a day. */
const WORDS = { free: 'Free', taken: 'Not free', unstated: 'Not stated' } as const;
type Said = keyof typeof WORDS;
const KINDS = Object.keys(WORDS) as Said[];

const getSaid = (day: SeenDay | undefined): Said => (day === undefined ? 'unstated' : day.is_free ? 'free' : 'taken');

/** What is said about the days of a shoot. */
function ShootDays({
  days,
  dates,
  thisYear,
}: {
  days: readonly SeenDay[];
  dates: readonly string[];
  thisYear: string;
}) {
  if (dates.length === 0) return null;
  const byDate = new Map(days.map((day) => [day.date, day]));
  const lines = KINDS.map((kind) => ({ kind, some: dates.filter((date) => getSaid(byDate.get(date)) === kind) }));
  return (
    <Lines
      title="Shoot days"
      lines={lines.map(({ kind, some }) => ({ kind, text: rangesText(some, thisYear), count: some.length }))}
    />
  );
}

/** What is said about all days to come, by month. */
function Months({ days, name }: { days: readonly SeenDay[]; name: string }) {
  if (days.length === 0)
    return <p className="break-words text-muted">{name} has not said anything about the days to come.</p>;
  const months = [...new Set(days.map(({ date }) => getMonth(date)))];
  return (
    <>
      {months.map((month) => (
        <Lines
          key={month}
          title={monthText(month)}
          lines={KINDS.map((kind) => {
            const some = days.filter((day) => getMonth(day.date) === month && getSaid(day) === kind);
            return { kind, text: daysOfMonthText(some.map(({ date }) => date)), count: some.length };
          })}
        />
      ))}
      <p className="text-sm text-muted">Nothing is said about other days.</p>
    </>
  );
}

interface Line {
  kind: Said;
  text: string;
  count: number;
}

const Lines = ({ title, lines }: { title: string; lines: readonly Line[] }) => (
  <section>
    <h3 className="font-bold">{title}</h3>
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      {lines
        .filter(({ count }) => count > 0)
        .map(({ kind, text, count }) => (
          <div key={kind} className="contents">
            <dt className="text-muted">
              {WORDS[kind]} ({count})
            </dt>
            <dd className={`break-words ${kind === 'taken' ? 'text-needs' : ''}`}>{text}</dd>
          </div>
        ))}
    </dl>
  </section>
);
