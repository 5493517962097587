import { useEffect, useEffectEvent } from 'react';
import { mediaItems } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { isInUse } from '#ui/busy.ts';

/** Reopens the form of a medium, with its values and errors, when the server refuses its details. */
export function useRefusedMedia(profileId: string, open: (id: string) => void): void {
  const { db, engine } = useAccount();
  const reopen = useEffectEvent(open);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.to !== 'attention' || event.type !== 'media') return;
        const reopenIfFixable = async () => {
          // Imported lazily, because it brings the texts of all media kinds.
          const { isFixable } = await import('./is-fixable.ts');
          const refused = (await mediaItems(db, profileId)).find((item) => item.op === event.op);
          if (refused && isFixable(refused) && !isInUse()) reopen(refused.id);
        };
        reopenIfFixable().catch(reportError);
      }),
    [db, engine, profileId],
  );
}
