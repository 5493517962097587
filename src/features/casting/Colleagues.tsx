import { Eye, LogOut, RotateCw, Star, Trash2, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MemberState } from '#contract/records/members.ts';
import { type CastingItem, isIn, type ProjectView } from '#db/casting.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { InviteSheet } from './InviteSheet.tsx';
import { getColleague, RIGHT_WORDS } from './member-words.ts';

type MemberItem = CastingItem<'project_member'>;

/** The colleagues of a project, for its owner, who invites them and lets them go. */
export function Colleagues({ view: { project, members, performerIds } }: { view: ProjectView }) {
  const inviting = useSheetParam('invite');
  return (
    <Card
      title="Colleagues"
      {...(members.length > 0 && {
        count: members.filter(isIn).length,
        action: <IconButton label="Invite colleagues" icon={UserPlus} onClick={() => inviting.open()} />,
      })}
    >
      {members.length === 0 ? (
        <EmptyRow
          icon={UserPlus}
          label="Invite colleagues"
          hint="They watch tapes with you, and rate them if you like"
          onAdd={() => inviting.open()}
        />
      ) : (
        <ul>
          {members.map((member) => (
            <Colleague key={member.key} member={member} title={project.body.title} />
          ))}
        </ul>
      )}
      {inviting.isOpen && <InviteSheet {...{ project, members, performerIds }} onClose={inviting.close} />}
    </Card>
  );
}

/** What the owner reads below a name. */
const STATE_WORDS: Record<MemberState, (right: string) => string> = {
  invited: (right) => `${right}, once they accept`,
  active: (right) => right,
  declined: () => 'Declined the invitation',
  left: () => 'Left the project',
};

function Colleague({ member, title }: { member: MemberItem; title: string }) {
  const { engine } = useAccount();
  const { body, id, op } = member;
  const { name } = getColleague(member);
  const isThere = isIn(member);
  const isRefused = member.state === 'needs' && member.serverId === null;
  const setRight = (role: typeof body.role) => () =>
    void toastOnError(engine.update('project_member', id, { role }, { role: body.role }));
  const remove = async () => {
    const isActive = body.state === 'active';
    const isSure =
      !isActive ||
      (await confirm({
        title: `Remove ${name} from ${title}?`,
        text: 'They no longer see its roles and tapes. Their notes and grades stay, without their name.',
        yes: 'Remove',
        danger: true,
      }));
    if (!isSure) return;
    await engine.remove('project_member', id);
    toast({ text: isThere && !isActive ? `${name} is not invited any more` : `${name} removed`, icon: Trash2 });
  };
  const items: MenuItem[] = isRefused
    ? [
        { label: 'Send again', icon: RotateCw, onSelect: () => void toastOnError(engine.sendAgain(op ?? '')) },
        { label: 'Remove', icon: Trash2, danger: true, onSelect: () => void toastOnError(engine.discard(op ?? '')) },
      ]
    : [
        ...(isThere
          ? [
              body.role === 'read'
                ? { label: 'Let them rate too', icon: Star, onSelect: setRight('rate') }
                : { label: 'Let them only watch', icon: Eye, onSelect: setRight('read') },
            ]
          : []),
        {
          label: body.state === 'invited' ? 'Take the invitation back' : 'Remove',
          icon: Trash2,
          danger: true,
          onSelect: () => void toastOnError(remove()),
        },
      ];
  return (
    <Row member={member} line={STATE_WORDS[body.state](RIGHT_WORDS[body.role])}>
      <Menu label={`More for ${name}`} trigger={<Dots />} triggerClass="tap -my-1 -mr-3 text-muted" items={items} />
    </Row>
  );
}

interface RowProps {
  member: MemberItem;
  line: string;
  children?: ReactNode;
}

function Row({ member, line, children }: RowProps) {
  const { name, profile_photo: photo } = getColleague(member);
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      <Avatar name={name} src={photo} size="size-11" decorative />
      <div className="min-w-0 grow leading-snug">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="min-w-0 grow font-semibold break-words">{name}</b>
          <StatePill state={member.state} />
        </div>
        <p className="text-sm text-muted">{line}</p>
        {member.error && <p className="mt-1 text-sm text-needs">{member.error.message}</p>}
      </div>
      {children}
    </li>
  );
}

/** Who works in a project, for a colleague, who can leave it. */
export function Team({ view: { project, members, place } }: { view: ProjectView }) {
  const { engine } = useAccount();
  const navigate = useNavigate();
  if (place === undefined) return null;
  const { owner } = place.body;
  const others = members.filter((member) => member !== place && member.body.state === 'active');
  const { title } = project.body;
  const leave = async () => {
    const isSure = await confirm({
      title: `Leave ${title}?`,
      text: 'You no longer see its roles and tapes. Your notes and grades stay, without your name.',
      yes: 'Leave',
      danger: true,
    });
    if (!isSure) return;
    await engine.act({ type: 'project_member', id: place.id, act: 'leave', title });
    navigate('/casting', { replace: true });
    toast({ text: `You leave ${title}` });
  };
  const isLeaving = place.body.state === 'left';
  return (
    <Card title="Colleagues" count={others.length + 2}>
      <ul>
        <li className="flex items-start gap-3 pb-3">
          <Avatar name={owner.name} src={owner.profile_photo} size="size-11" decorative />
          <div className="min-w-0 grow leading-snug">
            <b className="font-semibold break-words">{owner.name}</b>
            <p className="text-sm text-muted">Owns this project: asks, answers and casts</p>
          </div>
        </li>
        {others.map((member) => (
          <Row key={member.key} member={member} line={RIGHT_WORDS[member.body.role]} />
        ))}
        <Row member={place} line={isLeaving ? 'You are leaving' : `You · ${RIGHT_WORDS[place.body.role]}`}>
          {!isLeaving && (
            <Menu
              label="More for you"
              trigger={<Dots />}
              triggerClass="tap -my-1 -mr-3 text-muted"
              items={[
                {
                  label: 'Leave the project',
                  icon: LogOut,
                  danger: true,
                  onSelect: () => void toastOnError(leave()),
                },
              ]}
            />
          )}
        </Row>
      </ul>
    </Card>
  );
}
