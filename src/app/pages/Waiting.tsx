import type { ReactNode } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { FixForm } from '#features/profile/ProfileEditor.tsx';
import { WaitingPage } from '#features/sync-status/WaitingPage.tsx';
import { lazyPart } from '#ui/lazy-part.ts';

const FixMedia = lazyPart(async () => (await import('#features/media/FixMedia.tsx')).FixMedia);
const FixRecord = lazyPart(async () => (await import('#features/casting/FixRecord.tsx')).FixRecord);

function getFixForm(waiting: WaitingItem, close: () => void): ReactNode {
  switch (waiting.row.type) {
    case 'media':
      return <FixMedia waiting={waiting} onClose={close} />;
    case 'project':
    case 'role':
    case 'request':
    case 'link':
      return <FixRecord waiting={waiting} onClose={close} />;
    default:
      return <FixForm waiting={waiting} onClose={close} />;
  }
}

export const Waiting = () => <WaitingPage fixForm={getFixForm} />;
