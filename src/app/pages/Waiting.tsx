import { lazy, Suspense } from 'react';
import { FixForm } from '#features/profile/ProfileEditor.tsx';
import { WaitingPage } from '#features/sync-status/WaitingPage.tsx';

const FixMedia = lazy(async () => ({ default: (await import('#features/media/FixMedia.tsx')).FixMedia }));

export function Waiting() {
  return (
    <WaitingPage
      fixForm={(item, close) =>
        item.row.type === 'media' ? (
          <Suspense>
            <FixMedia waiting={item} onClose={close} />
          </Suspense>
        ) : (
          <FixForm waiting={item} onClose={close} />
        )
      }
    />
  );
}
