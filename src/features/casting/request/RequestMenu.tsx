import { CalendarDays, CalendarClock, FileText, Pencil, Reply, RotateCw, Undo2 } from 'lucide-react';
import { getShootDates } from '#contract/casting/availability.ts';
import { getRequestState, isAnsweredFinally } from '#contract/casting/state.ts';
import { hasLeft, type RequestView } from '#db/casting-role.ts';
import { type CastingItem, getRight, getRoleTitle, type PerformerCard } from '#db/casting.ts';
import { useAccount } from '#session/session.tsx';
import { SeenDaysSheet } from '#shared/availability/SeenDaysSheet.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { AnswerSheet } from '../AnswerSheet.tsx';
import { wasCast } from '../answer-words.ts';
import { putIntoAskForm, putRefusedIntoAskForm } from '../ask-draft.ts';
import { getAskPath } from '../ask-values.ts';
import { getPerformer, toPerformerCard } from '../performer.ts';
import { AskedSheet } from './AskedSheet.tsx';
import { isCalledBack } from './callbacks.ts';
import { ChangeSheet } from './ChangeSheet.tsx';

interface RequestMenuProps {
  item: RequestView;
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
}

/** What can be done about somebody who was asked. Colleagues only look. */
export function RequestMenu({ item, role, project }: RequestMenuProps) {
  const { engine, db } = useAccount();
  const navigate = useNavigate();
  const answering = useSheetParam('answer');
  const days = useSheetParam('days');
  const reading = useSheetParam('asked');
  const changing = useSheetParam('change');
  const { body } = item;
  const { name } = getPerformer(item);
  const state = getRequestState(body);
  const isAnswered = body.answers.length > 0;
  const title = getRoleTitle(role.body, project.body);
  const withdraw = async () => {
    const isSure = await confirm({
      title: `Withdraw the request to ${name}?`,
      text:
        item.serverId === null
          ? 'If it has not been sent yet, they never hear of it.'
          : 'They are told that no tape is needed.',
      yes: 'Withdraw',
      danger: true,
    });
    if (isSure) await engine.act({ type: 'request', id: item.id, act: 'withdraw', title: `${name}, ${title}` });
  };
  /** Puts a request that was refused back into the form, with others that wait there. */
  const rewrite = async () => {
    const round = body.round === 'callback' ? 'callback' : 'first';
    const refused = { body: { ...body }, breaches: item.error?.breaches };
    const isPut = await putRefusedIntoAskForm(db, { roleId: role.id, round }, refused, project.body.time_zone);
    if (isPut && item.op !== undefined) await engine.discard(item.op);
    const isWanted =
      isPut ||
      (await confirm({
        title: 'The form holds another request',
        text: 'Send or discard that one first. This one waits here until then.',
        yes: 'Open the form',
      }));
    if (isWanted) navigate(getAskPath(role.id, round));
  };
  /** Opens the form for callbacks with this performer in it, beside those who wait there. */
  const askAgain = async (card: PerformerCard) =>
    navigate(await putIntoAskForm(db, { roleId: role.id, round: 'callback' }, [card]));
  const profileId = body.performer?.profile_id;
  const isOwner = getRight(project) === 'own';
  const isWithdrawn = state === 'withdrawn';
  const isGone = hasLeft(item);
  const canSeeDays = !isAnsweredFinally(body.answers) && state !== 'declined' && !isWithdrawn;
  const isRefused = item.state === 'needs' && item.serverId === null;
  const canChange = isOwner && !isGone && !isRefused && !isWithdrawn && !isAnsweredFinally(body.answers);
  const isOpen = role.body.status === 'open' && project.body.status === 'open';
  const callback = isOpen && isCalledBack(item) && body.performer ? toPerformerCard(body.performer) : null;
  const ownItems: MenuItem[] = [
    ...(isRefused
      ? [{ label: 'Change and send again', icon: Pencil, onSelect: () => void toastOnError(rewrite()) }]
      : []),
    ...(canChange
      ? [{ label: 'Change the request', icon: CalendarClock, onSelect: () => changing.open(item.id) }]
      : []),
    ...(callback === null
      ? []
      : [{ label: 'Ask for a callback', icon: RotateCw, onSelect: () => void toastOnError(askAgain(callback)) }]),
    ...(isWithdrawn || isGone || item.serverId === null
      ? []
      : [{ label: isAnswered ? 'Answer again' : 'Answer', icon: Reply, onSelect: () => answering.open(item.id) }]),
    ...(!isWithdrawn && !isGone && !wasCast(body)
      ? [{ label: 'Withdraw', icon: Undo2, danger: true, onSelect: () => void toastOnError(withdraw()) }]
      : []),
  ];
  const items: MenuItem[] = [
    { label: 'What was asked', icon: FileText, onSelect: () => reading.open(item.id) },
    ...(profileId === undefined || !canSeeDays
      ? []
      : [{ label: 'Availability', icon: CalendarDays, onSelect: () => days.open(item.id) }]),
    ...(isOwner ? ownItems : []),
  ];
  const isChanging = canChange && changing.value === item.id;
  return (
    <>
      <Menu label={`More for ${name}`} trigger={<Dots />} triggerClass="tap -my-1 -mr-3 text-muted" items={items} />
      {answering.value === item.id && (
        <AnswerSheet item={item} name={name} role={role.body.name} title={title} onClose={answering.close} />
      )}
      {days.value === item.id && profileId !== undefined && (
        <SeenDaysSheet
          profileId={profileId}
          name={name}
          shootDates={getShootDates({ shoot_dates: body.shoot_dates, project: project.body })}
          onClose={days.close}
        />
      )}
      {reading.value === item.id && !isChanging && (
        <AskedSheet
          item={item}
          project={project}
          name={name}
          onChange={canChange ? () => changing.open(item.id) : undefined}
          onClose={reading.close}
        />
      )}
      {isChanging && <ChangeSheet item={item} role={role} project={project} name={name} onClose={changing.close} />}
    </>
  );
}
