import { Clapperboard, Plus } from 'lucide-react';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { type CastingOverview, readCasting } from '#db/casting.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { projectFacts } from '#shared/casting/role-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { useNavigate } from '#ui/router.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { Invitations } from './Invitations.tsx';
import { RecordLink } from './RecordLink.tsx';
import { RecordSheet } from './RecordSheet.tsx';

/** What the person casts. */
export function CastingPage() {
  return (
    <CastingPageFrame
      title="Casting"
      query={readCasting}
      deps={[]}
      signInText="Projects and roles belong to an account."
      noun="page"
    >
      {(overview) => <Projects overview={overview} />}
    </CastingPageFrame>
  );
}

function Projects({ overview: { projects, invitations } }: { overview: CastingOverview }) {
  const adding = useSheetParam('add');
  const navigate = useNavigate();
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <h1 className="px-1 text-2xl font-bold max-md:sr-only">Casting</h1>
      <Invitations places={invitations} />
      <Card
        title="Projects"
        {...(projects.length > 0 && {
          count: projects.length,
          action: <IconButton label="Add a project" icon={Plus} onClick={() => adding.open()} />,
        })}
      >
        {projects.length === 0 ? (
          <EmptyRow
            icon={Clapperboard}
            label="Add a project"
            hint="Then write its roles, and ask performers to tape"
            onAdd={() => adding.open()}
          />
        ) : (
          <ul>
            {projects.map(({ project: { key, id, body, state }, place }) => (
              <RecordLink
                key={key}
                to={`/casting/projects/${id}`}
                title={body.title}
                facts={[projectFacts(body), place && `of ${place.body.owner.name}`].filter(Boolean).join(' · ')}
                note={place?.body.state === 'left' ? 'Leaving' : body.status === 'closed' ? 'Closed' : ''}
                state={place?.state ?? state}
              />
            ))}
          </ul>
        )}
      </Card>
      {adding.isOpen && (
        <RecordSheet
          type="project"
          form={PROJECT_FORM}
          title="Add a project"
          parent={null}
          initial={{
            type: 'film',
            time_zone: getDeviceZone(),
            rule_pack: PROJECT_FORM.fields.rule_pack.options[0]?.value,
          }}
          onCreated={(id) => navigate(`/casting/projects/${id}`, { replace: true })}
          onClose={adding.close}
        />
      )}
    </div>
  );
}
