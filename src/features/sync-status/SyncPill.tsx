'fetched soon after the start';

import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { queueSummary } from '#db/queries.ts';
import type { QueueSummary } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';
import { SENDING_AFTER_MS } from '#lib/state-timing.ts';
import { getPillText } from './queue-text.ts';

const LOOKS = { phone: 'state-phone', sending: 'state-sending', needs: 'state-needs' } as const;

/** A send that is over at once never flickers: what was shown before stays for 400 ms. */
function useDebouncedQueue(): QueueSummary | undefined {
  const queue = useQuery(queueSummary, []);
  const [isSlow, setIsSlow] = useState(false);
  const isSending = (queue?.sending ?? 0) > 0;
  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => setIsSlow(true), SENDING_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isSending]);
  if (!queue || isSlow || !isSending) return queue;
  return { ...queue, sending: 0, waiting: queue.waiting + queue.sending };
}

/** In the bar: how much waits, moves or needs the person; nothing when all is saved. Leads to Waiting to send. */
export function SyncPill() {
  const queue = useDebouncedQueue();
  const words = queue && getPillText(queue);
  const { pathname } = useLocation();
  if (!words) return null;
  return (
    <Link
      to="/waiting"
      // There the page itself says it, and a phone's bar has room for its title alone.
      className={`pill ${LOOKS[words.look]} ${pathname === '/waiting' ? 'max-md:hidden' : ''}`}
      aria-label={words.spoken}
    >
      {words.look === 'phone' && <DeviceIcon className="ic size-4" />}
      {words.look === 'sending' && <Arc className="size-4" />}
      {words.look === 'needs' && <Hand className="ic size-4" aria-hidden />}
      {words.short}
    </Link>
  );
}
