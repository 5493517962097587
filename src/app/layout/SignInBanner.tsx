import { Hand } from 'lucide-react';
import { Link, useLocation } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import { count } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** Shown when the session has expired. Everything stays readable, and unsent changes stay on the device until sign-in. */
export function SignInBanner() {
  const { pathname, search } = useLocation();
  const queue = useQuery(queueSummary, []);
  if (queue === undefined) return null;
  const waiting = queue.waiting + queue.sending + queue.needs;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-2 bg-needs-tint px-4 text-[0.8125rem] font-[550] text-needs">
      <Hand className="ic" aria-hidden />
      <span>{waiting > 0 ? `Sign in again to send ${count(waiting, 'change')}.` : 'You have been signed out.'}</span>
      <Link to="/login" state={{ from: pathname + search }} className="tap underline">
        Sign in
      </Link>
    </div>
  );
}
