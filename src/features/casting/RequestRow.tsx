import { CalendarDays, Pencil, Reply, TriangleAlert, Undo2 } from 'lucide-react';
import { memo } from 'react';
import { getShootDates } from '#contract/casting/availability.ts';
import { getRequestState, isAnsweredFinally, isDeclined, type RequestState } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import { type CastingItem, getRight, getRoleTitle, type PerformerCard } from '#db/casting.ts';
import { momentText, spanText, timeLeftText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { SeenDaysSheet } from '#shared/availability/SeenDaysSheet.tsx';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import { Refused } from '#shared/casting/Refused.tsx';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { toastOnError } from '#shared/error-text.ts';
import type { FormValues } from '#shared/forms/form-values.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { AnswerSheet } from './AnswerSheet.tsx';
import { fromFields, getSidesDraft, readPerformers } from './ask-values.ts';
import { getPerformer } from './performer.ts';

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
  return [happened, isOver.includes(state) ? '' : timeLeftText(Date.parse(body.deadline_at), now)]
    .filter(Boolean)
    .join(' · ');
}

interface RequestRowProps {
  item: CastingItem<'request'>;
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  now: number;
}

/** Somebody who was asked, and what can be done about it. */
export const RequestRow = memo(function RequestRow({ item, role, project, now }: RequestRowProps) {
  const { engine, db } = useAccount();
  const navigate = useNavigate();
  const answering = useSheetParam('answer');
  const days = useSheetParam('days');
  const { body } = item;
  const { name, profile_photo: photo } = getPerformer(item);
  const state = getRequestState(body);
  const last = body.answers.at(-1);
  const said = state === 'answered' ? last?.text : state === 'declined' ? body.decline_text : null;
  const title = getRoleTitle(role.body, project.body);
  const withdraw = async () => {
    const isSure = await confirm({
      title: `Withdraw the request to ${name}?`,
      text: item.serverId === null ? 'It has not been sent yet.' : 'They are told that no tape is needed.',
      yes: 'Withdraw',
      danger: true,
    });
    if (isSure) await engine.act({ type: 'request', id: item.id, act: 'withdraw', title: `${name}, ${title}` });
  };
  /** Puts a request that was refused back into the form, with others that wait there. */
  const rewrite = async () => {
    const key = `ask:${role.id}`;
    const draft = (await loadDraft(db, key)) ?? {};
    const others = readPerformers(draft as FormValues);
    const performers = [...others, ...(item.body.card === undefined ? [] : [item.body.card as PerformerCard])];
    const values = fromFields(body, project.body.time_zone, performers);
    saveDraft(db, key, { ...values, ...getSidesDraft({ ...body }, draft) }, now);
    if (item.op !== undefined) await engine.discard(item.op);
    navigate(`/casting/roles/${role.id}/ask`);
  };
  const profileId = body.performer?.profile_id;
  const canSeeDays = !isAnsweredFinally(body.answers) && state !== 'declined' && state !== 'withdrawn';
  const isStale = item.state === 'needs' && item.reason === 'stale' && item.op !== undefined;
  const due = Date.parse(body.deadline_at);
  const isRefused = item.state === 'needs' && item.serverId === null;
  const canWithdraw = state !== 'withdrawn' && last?.kind !== 'cast';
  const ownItems: MenuItem[] = [
    ...(isRefused
      ? [{ label: 'Change and send again', icon: Pencil, onSelect: () => void toastOnError(rewrite()) }]
      : []),
    ...(state === 'withdrawn' || item.serverId === null
      ? []
      : [{ label: last ? 'Answer again' : 'Answer', icon: Reply, onSelect: () => answering.open(item.id) }]),
    ...(canWithdraw
      ? [{ label: 'Withdraw', icon: Undo2, danger: true, onSelect: () => void toastOnError(withdraw()) }]
      : []),
  ];
  const items: MenuItem[] = [
    ...(profileId === undefined || !canSeeDays
      ? []
      : [{ label: 'Availability', icon: CalendarDays, onSelect: () => days.open(item.id) }]),
    ...(getRight(project) === 'own' ? ownItems : []),
  ];
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
      {items.length > 0 && (
        <Menu label={`More for ${name}`} trigger={<Dots />} triggerClass="tap -my-1 -mr-3 text-muted" items={items} />
      )}
      {answering.value === item.id && <AnswerSheet item={item} name={name} title={title} onClose={answering.close} />}
      {days.value === item.id && profileId !== undefined && (
        <SeenDaysSheet
          profileId={profileId}
          name={name}
          shootDates={getShootDates({ shoot_dates: body.shoot_dates, project: project.body })}
          onClose={days.close}
        />
      )}
    </li>
  );
});
