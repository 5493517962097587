import { ChartColumn, CloudOff, Monitor, Smartphone, TriangleAlert } from 'lucide-react';
import type { Insights } from '#contract/records/insights.ts';
import { dayText } from '#lib/dates.ts';
import type { AppError } from '#net/app-error.ts';
import { useSession } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { ChartCard } from './ChartCard.tsx';
import { DayRates } from './DayRates.tsx';
import { CITY_COLUMNS, toCityBars, DEMAND_COLUMNS, toDemandBars, formatPeople } from './chart-data.ts';
import { useInsights } from './use-insights.ts';

const TITLE = 'Industry Insights';

/** Figures about the industry from all profiles, for members and visitors. */
export function InsightsPage() {
  usePageTitle(TITLE);
  const { state, retry } = useInsights();
  if (state.status === 'loaded') return <Figures {...state} retry={retry} />;
  return (
    <div className="px-3">
      {state.status === 'loading' && (
        <Loading label={`Loading ${TITLE}`} isPage>
          <div className="mx-auto grid max-w-[1168px] grid-cols-1 gap-3 pt-6 md:grid-cols-2 md:gap-6">
            <Skeleton className="h-80 w-full rounded-box" />
            <Skeleton className="h-80 w-full rounded-box" />
          </div>
        </Loading>
      )}
      {state.status === 'missing' && (
        <ErrorPage
          icon={ChartColumn}
          title="Industry Insights are not available"
          text="This Callboard does not offer them. Everything else works as usual."
        />
      )}
      {state.status === 'error' && (
        <ErrorPage
          icon={state.error.status === 0 ? CloudOff : TriangleAlert}
          title={state.error.status === 0 ? 'You have not opened this page before' : 'The figures could not be loaded'}
          text={
            state.error.status === 0
              ? `Go online to open it once. After that the latest figures stay on this ${deviceWord()}.`
              : state.error.message
          }
          action={<Button onClick={retry}>Try again</Button>}
        />
      )}
    </div>
  );
}

interface FiguresProps {
  figures: Insights;
  failure: AppError | null;
  retry: () => void;
}

function Figures({ figures, failure, retry }: FiguresProps) {
  const { state: session } = useSession();
  const { as_of, rates, demand, cities } = figures;
  const isEmpty = rates.length === 0 && cities.length === 0 && demand.people === 0;
  const Icon = deviceWord() === 'computer' ? Monitor : Smartphone;
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-4 pb-6 md:px-6 md:pt-6">
      <div className="px-1">
        {/* On a phone, members see the title in the app bar. */}
        <h1 className={`text-2xl font-bold ${session === 'signed in' ? 'max-md:sr-only' : ''}`}>{TITLE}</h1>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <span>As of {dayText(as_of)}</span>
          {failure && (
            <span className="state state-phone" role="status">
              <Icon className="ic" aria-hidden />
              {failure.status === 0 ? 'No signal' : 'Newer figures could not be loaded now'}. As last seen on this{' '}
              {deviceWord()}
            </span>
          )}
          {failure && failure.status !== 0 && (
            <Button look="plain" onClick={retry}>
              Try again
            </Button>
          )}
        </p>
        <p className="mt-2 max-w-2xl text-sm text-muted">
          Based on the active profiles here. Groups of fewer than five people are never shown. Head counts are rounded
          down to fives, shares to 5%, and rates to two significant figures.
        </p>
      </div>
      {isEmpty ? (
        <p className="notice mt-4 max-w-2xl p-5">
          There are too few people for figures yet. They appear once five people share a city, an industry or a skill.
        </p>
      ) : (
        <div className="mt-4 grid grid-cols-1 items-start gap-3 md:grid-cols-2 md:gap-6">
          <DayRates rates={rates} />
          <Demand demand={demand} />
          <ChartCard
            title="People by city"
            groupRule="people share a city"
            caption="People with an active profile, by city."
            rowHeader="City"
            columns={CITY_COLUMNS}
            bars={toCityBars(cities)}
          />
        </div>
      )}
    </div>
  );
}

function Demand({ demand: { days, people, languages, skills } }: Pick<Insights, 'demand'>) {
  const subject = `${formatPeople(people)} people who were asked to connect or saved in the last ${days} days`;
  return (
    <>
      <ChartCard
        title="Languages in demand"
        groupRule="people who were asked to connect or saved lately work in the same language"
        caption={`Share of the ${subject} who work in each language.`}
        rowHeader="Language"
        columns={DEMAND_COLUMNS}
        bars={toDemandBars(languages)}
      />
      <ChartCard
        title="Skills in demand"
        groupRule="people who were asked to connect or saved lately share a skill"
        caption={`Share of the ${subject} who name each skill.`}
        rowHeader="Skill"
        columns={DEMAND_COLUMNS}
        bars={toDemandBars(skills)}
      />
    </>
  );
}
