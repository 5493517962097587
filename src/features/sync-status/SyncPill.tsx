'fetched soon after the start';

import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import type { QueueSummary } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';
import { SENDING_DELAY_MS } from '#lib/displayed-state.ts';
import { getPillText } from './queue-text.ts';

const CLASSES = { phone: 'state-phone', sending: 'state-sending', needs: 'state-needs' } as const;

/** Returns the queue, but counts a row as sending only after `SENDING_AFTER_MS`, so that a quick send does not flicker. */
function useDebouncedQueue(): QueueSummary | undefined {
  const queue = useQuery(queueSummary, []);
  const [isSlow, setIsSlow] = useState(false);
  const isSending = (queue?.sending ?? 0) > 0;
  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => setIsSlow(true), SENDING_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isSending]);
  if (!queue || isSlow || !isSending) return queue;
  return { ...queue, sending: 0, waiting: queue.waiting + queue.sending };
}

/** The sync state in the app bar, with a link to Waiting to send. Renders nothing if everything is saved. */
export function SyncPill() {
  const queue = useDebouncedQueue();
  const text = queue && getPillText(queue);
  const { pathname } = useLocation();
  if (!text) return null;
  return (
    <Link
      to="/waiting"
      // The Waiting to send page shows the state itself, and the bar of a phone has room for its title only.
      className={`pill ${CLASSES[text.look]} ${pathname === '/waiting' ? 'max-md:hidden' : ''}`}
      aria-label={text.spoken}
    >
      {text.look === 'phone' && <DeviceIcon className="ic size-4" />}
      {text.look === 'sending' && <Arc className="size-4" />}
      {text.look === 'needs' && <Hand className="ic size-4" aria-hidden />}
      {text.short}
    </Link>
  );
}
