import { CalendarClock, Clapperboard, Send } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { isWaiting } from '#db/casting-acts.ts';
import { hasLeft, readRole, type RoleView } from '#db/casting-role.ts';
import { getRight, getRoleTitle } from '#db/casting.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { Facts } from '#shared/casting/Facts.tsx';
import { Notices } from '#shared/casting/Notices.tsx';
import { Refused } from '#shared/casting/Refused.tsx';
import { roleFacts } from '#shared/casting/role-text.ts';
import { Button, ButtonLink, IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { Link, useParams } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useNow } from '#ui/use-now.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { CastSheet } from './CastSheet.tsx';
import { ShareLinks } from './links/ShareLinks.tsx';
import { RecordMenu } from './RecordMenu.tsx';
import { RecordSheet } from './RecordSheet.tsx';
import { MoveDeadlineSheet } from './request/MoveDeadlineSheet.tsx';
import { owesTape } from './request/owes-tape.ts';
import { RequestRow } from './RequestRow.tsx';
import { ShortlistLink } from './shortlist/ShortlistLink.tsx';
import { isTaped } from './taped.ts';
import { WatchTapes } from './WatchTapes.tsx';

/** A role, and everybody who was asked to tape for it. */
export function RolePage() {
  const { id = '' } = useParams();
  return (
    <CastingPageFrame
      title="Role"
      query={(db) => readRole(db, id)}
      deps={[id]}
      signInText="Roles belong to an account."
      noun="role"
    >
      {(view) => <Role view={view} />}
    </CastingPageFrame>
  );
}

function Role({ view }: { view: RoleView }) {
  const { role, project, requests } = view;
  const editing = useSheetParam('edit');
  const casting = useSheetParam('cast');
  const moving = useSheetParam('deadline');
  const now = useNow();
  const { body } = role;
  const right = getRight(project);
  const isOwner = right === 'own';
  const isOpen = body.status === 'open' && project.body.status === 'open';
  const taped = requests.filter(isTaped);
  // A grade given in the player must not wait for all rows behind it to be drawn.
  const drawn = useDeferredValue(view);
  const owing = requests.filter(owesTape);
  const sent = requests.filter(
    (request) => request.serverId !== null && !request.isReplaced && !hasLeft(request) && isWaiting(request.body),
  );
  const hasTapes = taped.length > 0;
  const about = <AboutRole view={view} isOwner={isOwner} />;
  const asked = <Asked view={drawn} now={now} onMove={isOpen && isOwner ? moving.open : undefined} />;
  const links = isOwner && <ShareLinks view={view} tapes={taped} />;
  return (
    <div
      className={`mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6 ${hasTapes ? 'lg:max-w-[1216px] lg:gap-y-4 lg:px-6' : ''}`}
    >
      <section className="notice flex flex-wrap items-center gap-x-3 gap-y-3 px-4 pt-3 pb-4 md:px-5">
        <div className="flex min-w-0 flex-1 items-start gap-2">
          <div className="min-w-0 grow">
            <h1 className="text-2xl font-bold break-words">{body.name}</h1>
            <p className="break-words text-muted">
              <Link to={`/casting/projects/${project.id}`} className="link">
                {project.body.title}
              </Link>
            </p>
          </div>
          {!isOpen && <span className="state state-quiet">{body.status === 'cast' ? 'Cast' : 'Closed'}</span>}
          <StatePill state={role.state} />
        </div>
        {isOwner && (
          <div className={hasTapes ? 'lg:order-1' : undefined}>
            <RecordMenu
              item={role}
              type="role"
              title={body.name}
              wasAsked={requests.length > 0}
              listPath={`/casting/projects/${project.id}`}
              onEdit={() => editing.open()}
            />
          </div>
        )}
        <div className={`flex basis-full flex-wrap gap-2 ${hasTapes ? 'lg:basis-auto' : ''}`}>
          {isOpen && isOwner && (
            <ButtonLink to={`/casting/roles/${role.id}/ask`} icon={Send}>
              Ask performers to tape
            </ButtonLink>
          )}
          <ShortlistLink roleId={role.id} />
          {isOpen && isOwner && requests.length > 0 && (
            <Button look="tonal" icon={Clapperboard} onClick={() => casting.open()}>
              Role is cast
            </Button>
          )}
        </div>
        <div className="order-2 basis-full empty:hidden">
          <Refused item={role} />
        </div>
      </section>
      {hasTapes ? (
        <WatchTapes
          tapes={taped}
          title={getRoleTitle(body, project.body)}
          canRate={right !== 'read'}
          below={asked}
          aside={
            <>
              {links}
              {about}
            </>
          }
        />
      ) : (
        <>
          {about}
          {links}
          {asked}
        </>
      )}
      {editing.isOpen && (
        <RecordSheet
          type="role"
          form={ROLE_FORM}
          title="Edit role"
          parent={project.id}
          item={role}
          onClose={editing.close}
        />
      )}
      {moving.isOpen && owing.length > 0 && (
        <MoveDeadlineSheet role={role} project={project} requests={owing} onClose={moving.close} />
      )}
      {casting.isOpen && <CastSheet view={view} candidates={sent} onClose={casting.close} />}
    </div>
  );
}

/** What the role is, and what performers are told before they say yes. */
function AboutRole({ view: { role, project }, isOwner }: { view: RoleView; isOwner: boolean }) {
  const { body } = role;
  return (
    <section className="notice px-4 pt-3 pb-4 md:px-5" aria-label="About the role">
      {body.description && <p className="leading-relaxed break-words whitespace-pre-line">{body.description}</p>}
      <Facts facts={roleFacts(body, project.body)} />
      <Notices
        title="Performers are told before"
        notices={{ ...body, other: body.other_notice }}
        emptyText={
          isOwner
            ? 'Nothing yet. Say it before you ask anybody: nudity, intimacy and stunts, or that there are none.'
            : 'Nothing yet.'
        }
      />
    </section>
  );
}

interface AskedProps {
  view: RoleView;
  now: number;
  /** Absent for those who cannot move the deadline. Keeps its identity. */
  onMove: (() => void) | undefined;
}

/** Everybody who was asked. */
const Asked = memo(function Asked({ view, now, onMove }: AskedProps) {
  const { role, project, requests } = view;
  if (requests.length === 0) return null;
  return (
    <Card
      title="Asked"
      count={requests.length}
      action={
        onMove &&
        requests.some(owesTape) && (
          <IconButton label="Move the deadline" icon={CalendarClock} onClick={() => onMove()} />
        )
      }
    >
      <ul>
        {requests.map((request) => (
          <RequestRow key={request.key} item={request} role={role} project={project} now={now} />
        ))}
      </ul>
    </Card>
  );
});
