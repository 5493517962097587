import { Baby, BadgeCheck, Cake, Clock, Hand, ScrollText, Wrench } from 'lucide-react';
import { useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { DeskAppeal, DeskReport, DeskReportList } from '#contract/records/desk.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useSession } from '#session/session.tsx';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Chips } from '#ui/Chips.tsx';
import { Link, useSearchParams } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';
import { AnswerSheet } from './AnswerSheet.tsx';
import { DeskFrame, Refused } from './DeskFrame.tsx';
import { getReportLinkId, useListPlace, useReturnFocus } from './list-place.ts';
import { Rest } from './Rest.tsx';
import { useDeskList } from './use-desk-list.ts';
import { getTargetWord } from './words.ts';

const SHARES = ['open', 'children', 'closed', 'appeals'] as const;

/** The moderation desk: reports, those about children first, and appeals. */
export function DeskList() {
  // In the address, so that Back leads to the same list.
  const [params, setParams] = useSearchParams();
  const share = SHARES.find((each) => each === params.get('show')) ?? 'open';
  const { user } = useSession();
  const { place, remember } = useListPlace();
  const reports = useDeskList<DeskReportList>(
    DESK_CALLS.reports,
    share === 'appeals' ? 'open' : share,
    place?.pageCount,
  );
  return (
    <DeskFrame title="Desk" result={reports.result} onRetry={reports.refetch}>
      {({ rows, first: { counts }, ...rest }) => (
        <>
          <h1 className="px-1 text-2xl font-bold max-md:sr-only">Desk</h1>
          {/* The row of chips reaches 1rem beyond its box, to the edges of the screen. */}
          <div className="px-1">
            <Chips
              label="Which reports"
              value={share}
              onChange={(next) => setParams(next === 'open' ? {} : { show: next }, { replace: true })}
              options={[
                { value: 'open', label: 'Open', count: counts.open },
                { value: 'children', label: 'Children', count: counts.children },
                { value: 'appeals', label: 'Appeals', count: counts.appeals },
                { value: 'closed', label: 'Closed', count: counts.closed },
              ]}
            />
          </div>
          {share === 'appeals' ? (
            <Appeals onAnswered={reports.refetch} />
          ) : (
            <>
              <Reports
                reports={rows}
                returnTo={place?.reportId ?? null}
                onOpen={(reportId) => remember({ pageCount: rest.pageCount, reportId })}
              />
              <Rest {...rest} noun="reports" />
            </>
          )}
          <p className="mt-3 flex items-center gap-2 px-1 text-sm text-muted">
            <Clock className="ic" aria-hidden />
            Reports about children always come first, then the oldest.
          </p>
          {user?.role === 'operator' && (
            <div className="mt-4 flex flex-wrap gap-2">
              <ButtonLink to="/desk/audit" look="line" icon={ScrollText}>
                Log
              </ButtonLink>
              <ButtonLink to="/desk/offices" look="line" icon={BadgeCheck}>
                Offices and people
              </ButtonLink>
              <ButtonLink to="/desk/age-requests" look="line" icon={Cake}>
                Dates of birth{counts.age_requests > 0 && ` (${counts.age_requests})`}
              </ButtonLink>
              <ButtonLink to="/desk/jobs" look="line" icon={Wrench}>
                Failed jobs
              </ButtonLink>
            </div>
          )}
        </>
      )}
    </DeskFrame>
  );
}

interface ReportsProps {
  reports: readonly DeskReport[];
  /** The report from which the person comes back. */
  returnTo: string | null;
  onOpen: (reportId: string) => void;
}

function Reports({ reports, returnTo, onOpen }: ReportsProps) {
  const now = useNow();
  useReturnFocus(returnTo);
  if (reports.length === 0) return <p className="notice mt-2 p-4 text-muted">Nothing waits here.</p>;
  const ids = reports.map(({ id }) => id);
  return (
    <ul className="notice mt-2 px-4">
      {reports.map((report) => (
        <li key={report.id} className="row flex gap-3 py-3">
          <Avatar name={report.person.name} src={report.person.profile_photo} size="size-11" decorative />
          <div className="min-w-0 grow">
            <div className="flex items-baseline gap-2">
              <Link
                id={getReportLinkId(report.id)}
                onClick={() => onOpen(report.id)}
                to={`/desk/reports/${report.id}`}
                state={{ ids }}
                className="grow font-semibold underline-offset-2 hover:underline"
              >
                {REPORT_REASONS[report.reason]}
              </Link>
              <span className="num text-xs whitespace-nowrap text-muted">
                {agoText(Date.parse(report.created_at), now)}
              </span>
            </div>
            <p className="text-sm text-muted">
              About <b className="font-semibold text-base-content">{report.person.name}</b>
              {report.open_count > 1
                ? `, ${count(report.open_count, 'report')}`
                : report.is_about_caller
                  ? ', which is you'
                  : `, by ${report.reporter?.name ?? 'a former member'}`}
            </p>
            <p className="mt-1 flex flex-wrap gap-1.5 text-xs font-semibold">
              {report.is_about_child && (
                <span className="flex items-center gap-1 rounded-full bg-needs-tint px-2.5 py-1 text-needs">
                  <Baby className="ic" aria-hidden />
                  Child
                </span>
              )}
              {report.is_lookalike && (
                <span className="flex items-center gap-1 rounded-full bg-needs-tint px-2.5 py-1 text-needs">
                  <Hand className="ic" aria-hidden />
                  Look-alike name
                </span>
              )}
              <span className="rounded-full bg-base-200 px-2.5 py-1 text-muted">{getTargetWord(report)}</span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Appeals({ onAnswered }: { onAnswered: () => Promise<void> }) {
  const { result, refetch } = useDeskList<DeskAppeal[]>(DESK_CALLS.appeals);
  const [answered, setAnswered] = useState<DeskAppeal | null>(null);
  if (result.status === 'loading') return null;
  if (result.status === 'refused') return <Refused error={result.error} onRetry={refetch} />;
  const { rows, ...rest } = result.data;
  if (rows.length === 0) return <p className="notice mt-2 p-4 text-muted">Nobody waits for an answer.</p>;
  return (
    <>
      <ul className="notice mt-2 px-4">
        {rows.map((appeal) => (
          <li key={appeal.id} className="row py-3">
            <p>
              <b className="font-semibold">{appeal.person.name}</b> was told: {appeal.restriction.words}
            </p>
            <blockquote className="mt-2 rounded-xl bg-base-200 p-3.5 leading-relaxed whitespace-pre-line">
              {appeal.text}
            </blockquote>
            {appeal.can_answer ? (
              <Button look="tonal" className="mt-2" onClick={() => setAnswered(appeal)}>
                Answer {appeal.person.name}
              </Button>
            ) : (
              <p className="mt-2 text-sm text-muted">You are part of this, so somebody else answers.</p>
            )}
          </li>
        ))}
      </ul>
      <Rest {...rest} noun="appeals" />
      {answered && (
        <AnswerSheet
          appeal={answered}
          onClose={() => setAnswered(null)}
          onDone={async () => {
            setAnswered(null);
            await refetch();
            await onAnswered();
          }}
        />
      )}
    </>
  );
}
