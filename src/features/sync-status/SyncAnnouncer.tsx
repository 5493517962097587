'fetched soon after the start';

import { getEffect } from '#db/effects.ts';
import { Hand } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import type { QueueSummary } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { announce } from '#ui/announce.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { getAnnouncement } from './queue-text.ts';

/** Changes of the queue within this time are announced together. */
const BATCH_MS = 1000;

/** Announces changes of the queue to screen readers, and shows toasts for saved changes and for ones that need attention. */
export function SyncAnnouncer() {
  const { engine } = useAccount();
  const navigate = useNavigate();
  const queue = useQuery(queueSummary, []);
  const announced = useRef<QueueSummary>(undefined);
  useEffect(() => {
    if (!queue) return;
    if (!announced.current) {
      announced.current = queue;
      return;
    }
    const timer = setTimeout(() => {
      const sentence = announced.current && getAnnouncement(announced.current, queue, deviceWord());
      announced.current = queue;
      if (sentence) announce(sentence);
    }, BATCH_MS);
    return () => clearTimeout(timer);
  }, [queue]);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.savedText) toast({ text: event.savedText });
        else if (event.to === 'attention') {
          const text = getEffect(event) === 'avatar' ? 'Upload failed' : `${event.title} needs you`;
          // With a dialog open, only announce it: the dialog may be the form of the refused change.
          if (document.querySelector('dialog[open]')) announce(text);
          else toast({ text, icon: Hand, action: { label: 'See', onSelect: () => navigate('/waiting') } });
        }
      }),
    [engine, navigate],
  );
  return null;
}
