import { Hand } from 'lucide-react';
import { Link } from 'react-router-dom';
import { queueSummary } from '#db/queries.ts';
import { count } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { toUnsentWarning } from './select-guide.ts';

/** Says before the steps what would stay behind in the browser; nothing where all is sent. */
export function UnsentWarning() {
  const queue = useQuery(queueSummary, []);
  const open = queue ? queue.waiting + queue.sending + queue.needs : 0;
  if (open === 0) return null;
  return (
    <div className="flex gap-3 rounded-2xl bg-needs-tint p-3.5 text-needs" role="alert">
      <Hand className="ic mt-0.5" aria-hidden />
      <p className="text-sm leading-snug">
        {toUnsentWarning(count(open, 'change'), open === 1)}{' '}
        <Link to="/waiting" className="font-semibold underline">
          See what is waiting
        </Link>
      </p>
    </div>
  );
}
