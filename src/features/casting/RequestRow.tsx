import { Pencil, Reply, Undo2 } from 'lucide-react';
import { getRequestState, type RequestState } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import { type CastingItem, getRoleTitle, type PerformerCard, type RoleView } from '#db/casting.ts';
import { momentText, timeLeftText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import { Refused } from '#shared/casting/Refused.tsx';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { toastOnError } from '#shared/error-text.ts';
import type { FormValues } from '#shared/forms/form-values.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { AnswerSheet } from './AnswerSheet.tsx';
import { fromFields, readPerformers } from './ask-values.ts';
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
  view: RoleView;
  now: number;
}

/** Somebody who was asked, and what can be done about it. */
export function RequestRow({ item, view, now }: RequestRowProps) {
  const { engine, db } = useAccount();
  const navigate = useNavigate();
  const answering = useSheetParam('answer');
  const { body } = item;
  const { name, profile_photo: photo } = getPerformer(item);
  const state = getRequestState(body);
  const last = body.answers.at(-1);
  const said = state === 'answered' ? last?.text : state === 'declined' ? body.decline_text : null;
  const title = getRoleTitle(view.role.body, view.project.body);
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
    const key = `ask:${view.role.id}`;
    const others = readPerformers(((await loadDraft(db, key)) ?? {}) as FormValues);
    const performers = [...others, ...(item.body.card === undefined ? [] : [item.body.card as PerformerCard])];
    saveDraft(db, key, fromFields(body, view.project.body.time_zone, performers), now);
    if (item.op !== undefined) await engine.discard(item.op);
    navigate(`/casting/roles/${view.role.id}/ask`);
  };
  const isRefused = item.state === 'needs' && item.serverId === null;
  const canWithdraw = state !== 'withdrawn' && last?.kind !== 'cast';
  const items: MenuItem[] = [
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
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      <Avatar name={name} src={photo} size="size-11" decorative />
      <div className="min-w-0 grow leading-snug">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="min-w-0 grow font-semibold break-words">{name}</b>
          <RequestPill item={item} />
        </div>
        <p className="text-sm text-muted">{getLine(body, now)}</p>
        <Refused item={item} />
        {said && <p className="mt-1 text-sm break-words whitespace-pre-line">“{said}”</p>}
      </div>
      {items.length > 0 && (
        <Menu label={`More for ${name}`} trigger={<Dots />} triggerClass="tap -my-1 -mr-3 text-muted" items={items} />
      )}
      {answering.value === item.id && <AnswerSheet item={item} name={name} title={title} onClose={answering.close} />}
    </li>
  );
}
