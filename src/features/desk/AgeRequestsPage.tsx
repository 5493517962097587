import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { DeskActName } from '#contract/desk-acts.ts';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { GuardianState } from '#contract/records/consent.ts';
import type { DeskAgeRequest, DeskAgeRequestList } from '#contract/records/desk.ts';
import { agoText, dayText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Link } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';
import { ActSheet, type PlannedAct } from './ActSheet.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { Rest } from './Rest.tsx';
import { useDeskList } from './use-desk-list.ts';

/** Requests of people under 18 to correct their date of birth; for operators. */
export function AgeRequestsPage() {
  const [plan, setPlan] = useState<PlannedAct | null>(null);
  const { result, refetch } = useDeskList<DeskAgeRequestList>(DESK_CALLS.ageRequests);
  return (
    <DeskFrame title="Dates of birth" result={result} onRetry={refetch}>
      {({ rows, ...rest }) => (
        <>
          <h1 className="px-1 text-2xl font-bold max-md:sr-only">Dates of birth</h1>
          <p className="px-1 pb-3 text-sm text-muted">
            These people count as under 18 and ask for an earlier date. Until you decide, they stay protected.
          </p>
          {rows.length === 0 && <p className="notice p-4 text-muted">Nobody waits for an answer.</p>}
          {rows.length > 0 && (
            <ul className="space-y-3" aria-label="Requests">
              {rows.map((request) => (
                <RequestCard key={request.id} request={request} onPlan={setPlan} />
              ))}
            </ul>
          )}
          <Rest {...rest} noun="requests" />
          {plan && <ActSheet plan={plan} isOperator onClose={() => setPlan(null)} onDone={refetch} />}
        </>
      )}
    </DeskFrame>
  );
}

const GUARDIAN: Record<GuardianState, string> = {
  asked: 'asked, has not answered',
  agreed: 'agreed that the page is public',
  declined: 'declined a public page',
  withdrawn: 'withdrew the permission',
};

interface RequestCardProps {
  request: DeskAgeRequest;
  onPlan: (plan: PlannedAct) => void;
}

function RequestCard({ request, onPlan }: RequestCardProps) {
  const now = useNow();
  const isOnline = useOnline();
  const { id, person, born_on, wanted, makes_adult, reason, asked_at, guardian, declined_before } = request;
  const plan = (act: DeskActName, title: string, text: string) =>
    onPlan({ act, title, text, target: { type: 'age_request', id }, person, reportId: null, reason: 'other' });
  return (
    <li className="notice p-4 md:p-5">
      <div className="flex items-center gap-3">
        <Avatar name={person.name} src={person.profile_photo} size="size-11" decorative />
        <div className="min-w-0 grow">
          <Link
            to={`/desk/people/${person.id}`}
            className="font-semibold break-words underline-offset-2 hover:underline"
          >
            {person.name}
          </Link>
          <p className="text-sm text-muted">
            Asked {agoText(Date.parse(asked_at), now).toLowerCase()}
            {person.slug !== null && person.profile_type_slug !== null && (
              <>
                {'. '}
                <Link to={`/profile/${person.slug}/${person.profile_type_slug}`} className="underline">
                  Open profile
                </Link>
              </>
            )}
          </p>
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Now</dt>
        <dd className="num">{dayText(born_on)}</dd>
        <dt className="text-muted">Asks for</dt>
        <dd className="num font-semibold">
          {dayText(wanted)}
          <span className="font-normal text-muted">{makes_adult ? ', an adult' : ', still under 18'}</span>
        </dd>
        <dt className="text-muted">Guardian</dt>
        <dd>{guardian === null ? 'not named' : GUARDIAN[guardian]}</dd>
      </dl>
      {reason === null ? (
        <p className="mt-3 text-muted">Wrote nothing.</p>
      ) : (
        <blockquote className="mt-3 rounded-xl bg-base-200 p-3.5 leading-relaxed break-words whitespace-pre-line">
          {reason}
        </blockquote>
      )}
      {declined_before > 0 && (
        <p className="mt-3 flex gap-2.5 text-sm font-medium text-needs">
          <TriangleAlert className="ic mt-0.5 shrink-0" aria-hidden />
          {count(declined_before, 'request')} declined before.
        </p>
      )}
      {isOnline ? (
        <div className="mt-4 grid grid-cols-2 gap-2">
          <Button
            look="tonal"
            aria-label={`Correct the date of ${person.name}`}
            onClick={() =>
              plan(
                'age.grant',
                'Correct the date',
                makes_adult
                  ? `${person.name} then counts as an adult: the page opens without a guardian, and strangers can write. Make sure of the date by a way that you know.`
                  : `${person.name} stays under 18 by the new date and stays protected. Make sure of the date by a way that you know.`,
              )
            }
          >
            Correct
          </Button>
          <Button
            look="line"
            aria-label={`Decline the request of ${person.name}`}
            onClick={() => plan('age.decline', 'Decline', `${person.name} can ask again.`)}
          >
            Decline
          </Button>
        </div>
      ) : (
        <p className="mt-4 font-medium text-phone">Decisions need signal.</p>
      )}
    </li>
  );
}
