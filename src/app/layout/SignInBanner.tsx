import { Hand } from 'lucide-react';
import { Link, useLocation } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import { count } from '#lib/text.ts';
import { deviceWord } from '#ui/device.ts';
import { useQuery } from '#shared/queries/use-query.ts';

const BANNER =
  'flex flex-wrap items-center justify-center gap-x-2 bg-needs-tint px-4 text-[0.8125rem] font-[550] text-needs';

/** Shown while nothing is sent: the session has expired, or the account is suspended. Everything stays readable, and unsent changes stay. */
export function SignInBanner() {
  const { pathname, search } = useLocation();
  const queue = useQuery(queueSummary, []);
  if (queue === undefined) return null;
  const waiting = queue.waiting + queue.sending + queue.needs;
  if (!queue.signInNeeded) {
    return (
      <div className={BANNER}>
        <Hand className="ic" aria-hidden />
        <span>
          You can read, but not write.{waiting > 0 && ` ${count(waiting, 'change')} safe on this ${deviceWord()}.`}
        </span>
        <Link to="/decisions" className="tap underline">
          Read why
        </Link>
      </div>
    );
  }
  return (
    <div className={BANNER}>
      <Hand className="ic" aria-hidden />
      <span>{waiting > 0 ? `Sign in again to send ${count(waiting, 'change')}.` : 'You have been signed out.'}</span>
      <Link to="/login" state={{ from: pathname + search }} className="tap underline">
        Sign in
      </Link>
    </div>
  );
}
