import { Users } from 'lucide-react';
import type { CastingWork } from '#db/casting.ts';
import { count } from '#lib/text.ts';
import { WorkLink } from '#shared/WorkLink.tsx';

/** On Home: what the person casts, and how many tapes nobody has watched. */
export function HomeCasting({ projects, unwatched }: CastingWork) {
  const [first] = projects;
  if (first === undefined) return null;
  const named = projects.length === 1 ? first.body.title : count(projects.length, 'project');
  return (
    <WorkLink
      to={projects.length === 1 ? `/casting/projects/${first.id}` : '/casting'}
      icon={Users}
      title="Casting"
      text={unwatched === 0 ? named : `${named}. ${count(unwatched, 'tape')} to watch`}
    />
  );
}
