import { ChevronDown, ChevronUp, Check, Eye, EyeOff, FolderOpen, UserX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { DeskActName, DeskTarget } from '#contract/desk-acts.ts';
import type { DeskReport, DeskReportDetail } from '#contract/records/desk.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { agoText } from '#lib/dates.ts';
import { useSession } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { useLocation, useNavigate, useParams } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';
import { ActSheet, type PlannedAct } from './ActSheet.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { Late } from './Late.tsx';
import { Log } from './Log.tsx';
import { getReportOffer, type DeskViewer } from './offer.ts';
import { OperatorMenu } from './OperatorMenu.tsx';
import { PersonHead } from './PersonHead.tsx';
import { ReportedFile } from './ReportedFile.tsx';
import { undoAct, type AfterAct } from './undo-act.ts';
import { useDesk } from './use-desk.ts';
import { getTargetWord, momentText, splitSentences } from './words.ts';

/** One report with all that a decision needs. */
export function ReportPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { result, refetch } = useDesk<DeskReportDetail>(DESK_CALLS.report, { id });
  return (
    <DeskFrame title="Report" result={result} onRetry={refetch}>
      {(report) => <Report key={report.id} report={report} onChanged={refetch} />}
    </DeskFrame>
  );
}

/** The reports before and after this one in the list that it was opened from. J and K go there too. */
function useNeighbors(id: string) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const ids = (state as { ids?: string[] } | null)?.ids ?? [];
  const at = ids.indexOf(id);
  const goTo = (to: string | undefined) => to && navigate(`/desk/reports/${to}`, { replace: true, state: { ids } });
  const [previous, next] = at < 0 ? [] : [ids[at - 1], ids[at + 1]];
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, textarea, select, dialog')) return;
      const to = event.key === 'j' ? next : event.key === 'k' ? previous : undefined;
      if (to) navigate(`/desk/reports/${to}`, { replace: true, state });
    };
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, [navigate, next, previous, state]);
  return { previous, next, goTo };
}

function Report({ report, onChanged }: { report: DeskReportDetail; onChanged: () => Promise<void> }) {
  const { user } = useSession();
  const viewer = { id: user?.id ?? '', isOperator: user?.role === 'operator' };
  const [plan, setPlan] = useState<PlannedAct | null>(null);
  const [late, setLate] = useState<string | null>(null);
  const after = { onDone: onChanged, onLate: setLate };
  const { previous, next, goTo } = useNeighbors(report.id);
  const { context, evidence } = report;
  const title = REPORT_REASONS[report.reason];
  return (
    <div className="space-y-3 max-md:pb-40">
      <div className="flex items-center gap-1 px-1">
        <h1 className="grow text-2xl font-bold">{title}</h1>
        <IconButton label="Previous report" icon={ChevronUp} disabled={!previous} onClick={() => goTo(previous)} />
        <IconButton label="Next report" icon={ChevronDown} disabled={!next} onClick={() => goTo(next)} />
      </div>
      <PersonHead person={report.person} context={context} />
      <Card title="What was reported">
        <p className="text-sm text-muted">
          {getTargetWord(report)}, {momentText(report.created_at)}
        </p>
        {evidence.before.length > 0 && (
          <ul className="mt-2 space-y-1 text-sm text-muted">
            {evidence.before.map(({ is_by_reported, words, at }) => (
              <li key={at + words}>
                {is_by_reported ? evidence.name : 'The other person'}: {words}
              </li>
            ))}
          </ul>
        )}
        {evidence.words !== null && (
          <blockquote className="mt-3 rounded-xl bg-base-200 p-3.5 leading-relaxed whitespace-pre-line">
            {splitSentences(evidence.words).map(({ words, isSuspicious }, at) =>
              isSuspicious ? (
                <mark key={at} className="rounded bg-needs-tint font-semibold text-needs">
                  {words}
                </mark>
              ) : (
                words
              ),
            )}
          </blockquote>
        )}
        {evidence.file && <ReportedFile file={evidence.file} />}
        {!report.is_about_caller && (
          <ul className="mt-2">
            {[report, ...report.others].map((each) => (
              <Reporter key={each.id} report={each} />
            ))}
          </ul>
        )}
      </Card>
      <Decide report={report} viewer={viewer} late={late} onPlan={setPlan} {...after} />
      <Card title="Log">
        <Log entries={report.log} {...after} />
      </Card>
      {plan && <ActSheet plan={plan} isOperator={viewer.isOperator} onClose={() => setPlan(null)} {...after} />}
    </div>
  );
}

function Reporter({ report: { reporter, text, created_at } }: { report: DeskReport }) {
  const now = useNow();
  const name = reporter?.name ?? 'A former member';
  return (
    <li className="row flex gap-3 py-2.5">
      <Avatar name={name} size="size-9" decorative />
      <p className="text-[0.9375rem] leading-snug">
        <b className="font-semibold">{name}</b>{' '}
        <span className="num text-xs text-muted">{agoText(Date.parse(created_at), now)}</span>
        <br />
        {text ?? <span className="text-muted">Wrote nothing.</span>}
      </p>
    </li>
  );
}

interface DecideProps extends AfterAct {
  report: DeskReportDetail;
  viewer: DeskViewer;
  /** Why the last act was not done; null if it was. */
  late: string | null;
  onPlan: (plan: PlannedAct) => void;
}

/** The acts that apply. On a phone they stay at the bottom. The gravest is never the main button. */
function Decide({ report, viewer, late, onPlan, ...after }: DecideProps) {
  const isOnline = useOnline();
  const { id, person, context, target_type, target_id, hidden_by, reason, is_about_caller } = report;
  const plan = (act: DeskActName, title: string, target: { type: DeskTarget; id: string }) => () =>
    onPlan({ act, title, target, person, reportId: id, reason });
  const what = getTargetWord(report).toLowerCase();
  const offer = getReportOffer(report, viewer, what);
  const { closedBy } = offer;
  return (
    <section
      aria-label="Decide"
      className="notice p-4 max-md:fixed max-md:inset-x-0 max-md:bottom-[calc(56px+env(safe-area-inset-bottom))] max-md:z-20 max-md:rounded-none md:p-5"
    >
      <h2 className="mb-3 text-[1.0625rem] font-bold max-md:hidden">Decide</h2>
      <Late text={late} />
      {offer.note !== null && <p className="text-sm text-muted not-last:mb-3">{offer.note}</p>}
      {is_about_caller ? null : isOnline ? (
        <div className="grid grid-cols-2 gap-2 empty:hidden">
          {offer.canHide && (
            <Button
              look="tonal"
              icon={EyeOff}
              onClick={plan('hide', `Hide the ${what}`, { type: target_type, id: target_id })}
            >
              Hide the {what}
            </Button>
          )}
          {offer.canShowAgain && hidden_by !== null && (
            <Button look="tonal" icon={Eye} onClick={() => void undoAct(hidden_by, after)}>
              Show again
            </Button>
          )}
          {report.state === 'open' && (
            <Button look="line" icon={Check} onClick={plan('report.close', 'Close the report', { type: 'report', id })}>
              Close
            </Button>
          )}
          {closedBy !== null && (
            <Button look="tonal" icon={FolderOpen} onClick={() => void undoAct(closedBy, after)}>
              Open again
            </Button>
          )}
          {offer.canSuspend && (
            <Button
              look="line"
              icon={UserX}
              className="border-error text-error"
              onClick={plan('suspend', `Suspend ${person.name}`, { type: 'user', id: person.id })}
            >
              Suspend
            </Button>
          )}
          {offer.hasMenu && context && (
            <OperatorMenu person={context} reportId={id} reason={reason} canRemove={offer.canRemove} onPlan={onPlan} />
          )}
        </div>
      ) : (
        <p className="font-medium text-phone">Decisions need signal.</p>
      )}
    </section>
  );
}
