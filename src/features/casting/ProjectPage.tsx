import { Plus, UserRound } from 'lucide-react';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { findPack } from '#contract/rules/index.ts';
import { getRight, type ProjectView, readProject } from '#db/casting.ts';
import { zoneText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { Facts } from '#shared/casting/Facts.tsx';
import { Refused } from '#shared/casting/Refused.tsx';
import { projectFacts, shootText } from '#shared/casting/role-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { useNavigate, useParams } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { Colleagues, Team } from './Colleagues.tsx';
import { RecordLink } from './RecordLink.tsx';
import { RecordMenu } from './RecordMenu.tsx';
import { RecordSheet } from './RecordSheet.tsx';

/** A project and its roles. */
export function ProjectPage() {
  const { id = '' } = useParams();
  return (
    <CastingPageFrame
      title="Project"
      query={(db) => readProject(db, id)}
      deps={[id]}
      signInText="Projects belong to an account."
      noun="project"
    >
      {(view) => <Project view={view} />}
    </CastingPageFrame>
  );
}

/** '12 performers asked · 3 tapes to watch' */
function getFacts(asked: number, unwatched: number): string {
  if (asked === 0) return 'Nobody asked yet';
  const facts = [`${count(asked, 'performer')} asked`, unwatched > 0 && `${count(unwatched, 'tape')} to watch`];
  return facts.filter(Boolean).join(' · ');
}

const ROLE_NOTES = { open: '', cast: 'Cast', closed: 'Closed' };

function Project({ view }: { view: ProjectView }) {
  const { project, roles } = view;
  const isOwner = getRight(project) === 'own';
  const editing = useSheetParam('edit');
  const adding = useSheetParam('add');
  const navigate = useNavigate();
  const { body } = project;
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <section className="notice px-4 pt-3 pb-4 md:px-5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 grow">
            <h1 className="text-2xl font-bold break-words">{body.title}</h1>
            <p className="break-words text-muted">{projectFacts(body)}</p>
          </div>
          {body.status === 'closed' && <span className="state state-quiet">Closed</span>}
          <StatePill state={project.state} />
          {isOwner && (
            <RecordMenu
              item={project}
              type="project"
              title={body.title}
              wasAsked={roles.some(({ asked }) => asked > 0)}
              listPath="/casting"
              onEdit={() => editing.open()}
            />
          )}
        </div>
        <Refused item={project} />
        {body.synopsis && <p className="mt-2 leading-relaxed break-words whitespace-pre-line">{body.synopsis}</p>}
        <Facts
          facts={[
            { label: 'Shoots', words: shootText(body) },
            { label: 'Deadlines in', words: zoneText(body.time_zone) },
            { label: 'Rules for requests', words: findPack(body.rule_pack)?.name ?? body.rule_pack },
          ]}
        />
      </section>
      <Card
        title="Roles"
        {...(roles.length > 0 && {
          count: roles.length,
          ...(isOwner && { action: <IconButton label="Add a role" icon={Plus} onClick={() => adding.open()} /> }),
        })}
      >
        {roles.length === 0 && !isOwner ? (
          <p className="text-muted">No roles yet.</p>
        ) : roles.length === 0 ? (
          <EmptyRow
            icon={UserRound}
            label="Add a role"
            hint="Who they are, what they get, what performers must know before"
            onAdd={() => adding.open()}
          />
        ) : (
          <ul>
            {roles.map(({ role, asked, unwatched }) => (
              <RecordLink
                key={role.key}
                to={`/casting/roles/${role.id}`}
                title={role.body.name}
                facts={getFacts(asked, unwatched)}
                note={ROLE_NOTES[role.body.status]}
                state={role.state}
              />
            ))}
          </ul>
        )}
      </Card>
      {isOwner ? <Colleagues view={view} /> : <Team view={view} />}
      {editing.isOpen && (
        <RecordSheet
          type="project"
          form={PROJECT_FORM}
          title="Edit project"
          parent={null}
          item={project}
          onClose={editing.close}
        />
      )}
      {adding.isOpen && (
        <RecordSheet
          type="role"
          form={ROLE_FORM}
          title="Add a role"
          parent={project.id}
          onCreated={(id) => navigate(`/casting/roles/${id}`, { replace: true })}
          onClose={adding.close}
        />
      )}
    </div>
  );
}
