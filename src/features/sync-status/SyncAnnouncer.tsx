'fetched soon after the start';

import { getEffect } from '#db/effects.ts';
import { Hand } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { queueSummary } from '#db/queries.ts';
import type { QueueSummary } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { announce } from '#ui/announce.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { getAnnouncement } from './queue-text.ts';

/** Changes that come together are one change of the queue. */
const BATCH_MS = 1000;

/** Says to readers, politely and once per change of the whole queue, where the work is; shows the words of success. */
export function SyncAnnouncer() {
  const { engine } = useAccount();
  const navigate = useNavigate();
  const queue = useQuery(queueSummary, []);
  const said = useRef<QueueSummary>(undefined);
  useEffect(() => {
    if (!queue) return;
    if (!said.current) {
      said.current = queue;
      return;
    }
    const timer = setTimeout(() => {
      const sentence = said.current && getAnnouncement(said.current, queue, deviceWord());
      said.current = queue;
      if (sentence) announce(sentence);
    }, BATCH_MS);
    return () => clearTimeout(timer);
  }, [queue]);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.savedText) toast({ text: event.savedText });
        else if (event.to === 'attention') {
          const text = getEffect(event) === 'attaches' ? 'Upload failed' : `${event.title} needs you`;
          // An open form is what to look at: the refused one may have come back by itself.
          if (document.querySelector('dialog[open]')) announce(text);
          else toast({ text, icon: Hand, action: { label: 'See', onSelect: () => void navigate('/waiting') } });
        }
      }),
    [engine, navigate],
  );
  return null;
}
