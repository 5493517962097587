import { useEffect } from 'react';
import { mediaItems } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { isInUse } from '#ui/busy.ts';
import { useStableCallback } from '#ui/use-stable-callback.ts';

/** Opens the form of a medium again, filled and with its errors, when the server refuses its words, however late. */
export function useRefusedMedia(profileId: string, open: (id: string) => void): void {
  const { db, engine } = useAccount();
  const reopen = useStableCallback(open);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.to !== 'attention' || event.type !== 'media') return;
        const look = async () => {
          // The words of all kinds come with it: nobody waits for them before there is something to mend.
          const { isFixable: isMendable } = await import('./is-fixable.ts');
          const refused = (await mediaItems(db, profileId)).find((item) => item.op === event.op);
          if (refused && isMendable(refused) && !isInUse()) reopen(refused.id);
        };
        look().catch(reportError);
      }),
    [db, engine, profileId, reopen],
  );
}
