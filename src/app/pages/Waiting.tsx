import { FixForm } from '#features/profile/ProfileEditor.tsx';
import { WaitingPage } from '#features/sync-status/WaitingPage.tsx';

export function Waiting() {
  return <WaitingPage fixForm={(item, close) => <FixForm waiting={item} onClose={close} />} />;
}
