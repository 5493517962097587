import { getEffect } from '#db/effects.ts';
import { useEffect, useEffectEvent } from 'react';
import { useAccount } from '#session/session.tsx';
import { isInUse } from '#ui/busy.ts';
import { getEditorParamFor } from './editor.ts';

/**
 * Reopens the form of a change to this profile, with its values and errors, when the server refuses the change.
 * @param open receives the value of `?edit=`
 */
export function useReopenRefusedForm(profileId: string, open: (value: string) => void): void {
  const { db, engine } = useAccount();
  const openForm = useEffectEvent(open);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.to !== 'attention' || getEffect(event) === 'upload' || getEffect(event) === 'avatar') return;
        const reopen = async () => {
          const { listWaiting: waiting } = await import('#sync/queue/waiting.ts');
          const { needs } = await waiting(db, Infinity);
          const row = needs.find((item) => item.op === event.op)?.row;
          if (row?.reason !== 'invalid' || row.type === 'media' || isInUse()) return;
          if ((row.type === 'profile' ? row.target : row.parent) === profileId) openForm(getEditorParamFor(row));
        };
        reopen().catch(reportError);
      }),
    [db, engine, profileId],
  );
}
