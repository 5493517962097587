import { Clapperboard } from 'lucide-react';
import { type AuditionView, getRoleTitle } from '#db/casting.ts';
import { isDueSoon, lowerFirst, momentText, timeLeftText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { WorkLink } from '#shared/WorkLink.tsx';
import { useNow } from '#ui/use-now.ts';
import { getGroup } from './groups.ts';

/** On Home: the auditions that wait for the performer, with the next deadline. @param auditions the next deadline first */
export function HomeAuditions({ auditions }: { auditions: readonly AuditionView[] }) {
  const now = useNow();
  const todo = auditions.filter((audition) => getGroup(audition) === 'todo');
  // Whatever has passed can still be sent, but is not what comes next.
  const next = todo.find(({ body }) => Date.parse(body.deadline_at) > now) ?? todo[0];
  if (next === undefined) return null;
  const due = Date.parse(next.body.deadline_at);
  const title = getRoleTitle(next.body.role, next.body.project);
  return (
    <WorkLink
      to={todo.length === 1 ? `/auditions/${next.id}` : '/auditions'}
      icon={Clapperboard}
      title={`${count(todo.length, 'audition')} to do`}
      text={`${title}. Due ${lowerFirst(momentText(due, now))} · ${timeLeftText(due, now)}`}
      isUrgent={isDueSoon(due, now)}
    />
  );
}
