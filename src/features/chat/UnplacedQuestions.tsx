import type { UnplacedQuestion } from '#db/questions.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Link } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';

/** Questions about auditions that wait on this device and will open a conversation. Each leads to its audition, where it can be changed. */
export function UnplacedQuestions({ questions }: { questions: readonly UnplacedQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <ul aria-label="Questions that wait" className="md:px-2">
      {questions.map(({ id, name, message, state, audition_id: auditionId }) => (
        <li key={id}>
          <Link
            to={`/auditions/${auditionId ?? ''}`}
            className="flex min-h-[72px] items-center gap-3 px-4 py-2.5 md:rounded-xl"
          >
            <Avatar name={name} src={null} size="size-[52px]" decorative />
            <span className="min-w-0 grow">
              <span className="flex items-center gap-2">
                <span className="grow truncate font-semibold">{name}</span>
                <StatePill state={state} />
              </span>
              <span className="block truncate text-sm text-muted">{message}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
