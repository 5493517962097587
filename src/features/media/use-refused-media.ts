import { useEffect } from 'react';
import { useAccount } from '#session/session.tsx';
import { useStable } from '#ui/use-stable.ts';

/** Someone who is in the middle of something else is not interrupted: the pill and the row lead to the form. */
const isBusy = () => document.querySelector('dialog[open]') !== null || document.visibilityState === 'hidden';

/** Opens the form of a medium again, filled and with its errors, when the server refuses its words, however late. */
export function useRefusedMedia(profileId: string, open: (id: string) => void): void {
  const { db, engine } = useAccount();
  const reopen = useStable(open);
  useEffect(
    () =>
      engine.on((event) => {
        if (event.to !== 'attention' || event.type !== 'media') return;
        const look = async () => {
          const [{ mediaItems }, { isMendable }] = await Promise.all([
            import('#db/queries.ts'),
            import('./refused.ts'),
          ]);
          const refused = (await mediaItems(db, profileId)).find((item) => item.op === event.op);
          if (refused && isMendable(refused) && !isBusy()) reopen(refused.id);
        };
        look().catch(reportError);
      }),
    [db, engine, profileId, reopen],
  );
}
