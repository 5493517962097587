import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { getRequestState, isDeclined, type RequestState } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import type { RequestView } from '#db/casting-role.ts';
import type { CastingItem } from '#db/casting.ts';
import { momentText, spanText, timeLeftText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { Refused } from '#shared/casting/Refused.tsx';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { getPerformer } from './performer.ts';
import { RequestMenu } from './request/RequestMenu.tsx';

/** When what the pill says happened. */
function getMoment(state: RequestState, body: AuditionRequest): string | null {
  const times: Record<RequestState, string | null> = {
    asked: body.asked_at,
    seen: body.seen_at,
    confirmed: body.confirmed_at,
    declined: body.declined_at,
    sent: body.announced_at,
    arrived: body.arrived_at,
    watched: body.watched_at,
    answered: body.answers.at(-1)?.at ?? body.answered_at,
    withdrawn: body.withdrawn_at,
  };
  return times[state];
}

/** Whether the role's notices changed since the performer agreed to them. Whoever is out of it need not. */
const hasUnconfirmedNotices = (body: AuditionRequest): boolean =>
  body.notice_changes.at(-1)?.confirmed_at === null &&
  body.withdrawn_at === null &&
  body.performer !== null &&
  !isDeclined(body) &&
  body.answers.at(-1)?.kind !== 'no_thank_you';

const isOver: readonly RequestState[] = ['answered', 'declined', 'withdrawn', 'arrived', 'watched'];

/** One line about a request: when something last happened with it, and how long the performer has. */
function getLine(body: AuditionRequest, now: number): string {
  const state = getRequestState(body);
  const at = getMoment(state, body);
  const happened = at ? momentText(Date.parse(at), now) : '';
  const round = body.round === 'callback' ? 'Callback' : '';
  return [round, happened, isOver.includes(state) ? '' : timeLeftText(Date.parse(body.deadline_at), now)]
    .filter(Boolean)
    .join(' · ');
}

interface RequestRowProps {
  item: RequestView;
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  now: number;
}

/** Somebody who was asked, and what can be done about it. */
export const RequestRow = memo(function RequestRow({ item, role, project, now }: RequestRowProps) {
  const { engine } = useAccount();
  const { body } = item;
  const { name, profile_photo: photo } = getPerformer(item);
  const state = getRequestState(body);
  const last = body.answers.at(-1);
  const said = state === 'answered' ? last?.text : state === 'declined' ? body.decline_text : null;
  const isStale = item.state === 'needs' && item.reason === 'stale' && item.op !== undefined;
  const due = Date.parse(body.deadline_at);
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      <Avatar name={name} src={photo} size="size-11" decorative />
      <div className="min-w-0 grow leading-snug">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="min-w-0 grow font-semibold break-words">{name}</b>
          <RequestPill item={item} />
        </div>
        <p className="text-sm text-muted">{getLine(body, now)}</p>
        {isStale ? (
          <div className="mt-1 text-sm text-needs">
            <p>
              Written more than a day ago.{' '}
              {due > now ? `The deadline is now ${spanText(due - now)} away.` : 'The deadline has passed.'} Send it?
            </p>
            <Button look="line" className="mt-2" onClick={() => void toastOnError(engine.sendAgain(item.op!))}>
              Send now
            </Button>
          </div>
        ) : (
          <Refused item={item} />
        )}
        {hasUnconfirmedNotices(body) && (
          <p className="mt-1 flex gap-1.5 text-sm text-phone">
            <TriangleAlert className="ic size-4 shrink-0" aria-hidden />
            Has not said yes to the new notices
          </p>
        )}
        {said && <p className="mt-1 text-sm break-words whitespace-pre-line">“{said}”</p>}
      </div>
      <RequestMenu item={item} role={role} project={project} />
    </li>
  );
});
