import { FixForm } from '#features/profile/ProfileEditor.tsx';
import { WaitingPage } from '#features/sync-status/WaitingPage.tsx';
import { lazyPart } from '#ui/lazy-part.ts';

const FixMedia = lazyPart(async () => (await import('#features/media/FixMedia.tsx')).FixMedia);

export function Waiting() {
  return (
    <WaitingPage
      fixForm={(item, close) =>
        item.row.type === 'media' ? (
          <FixMedia waiting={item} onClose={close} />
        ) : (
          <FixForm waiting={item} onClose={close} />
        )
      }
    />
  );
}
