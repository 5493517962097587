import { Hand } from 'lucide-react';
import { Link } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import { count } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { toUnsentWarning } from './select-guide.ts';

/** Warns that unsent changes stay in the browser when the app is installed. Renders nothing if everything has been sent. */
export function UnsentWarning() {
  const queue = useQuery(queueSummary, []);
  const unsentCount = queue ? queue.waiting + queue.sending + queue.needs : 0;
  if (unsentCount === 0) return null;
  return (
    <div className="flex gap-3 rounded-2xl bg-needs-tint p-3.5 text-needs" role="alert">
      <Hand className="ic mt-0.5" aria-hidden />
      <p className="text-sm leading-snug">
        {toUnsentWarning(count(unsentCount, 'change'), unsentCount === 1)}{' '}
        <Link to="/waiting" className="font-semibold underline">
          See what is waiting
        </Link>
      </p>
    </div>
  );
}
