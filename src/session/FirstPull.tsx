import { CloudOff } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { useAccount } from './session.tsx';
import { useOnline } from './use-online.ts';

/**
 * Stands for a list that this device has not got from the server yet: a new device must not claim that it is empty.
 * @param label what loads: 'Loading messages'
 */
export function FirstPull({ label }: { label: string }) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  if (isOnline) {
    return (
      <div className="mx-auto w-full max-w-[672px] px-3 pt-1 md:pt-6">
        <Loading label={label} isPage>
          <Skeleton className="h-64 w-full rounded-box" />
        </Loading>
      </div>
    );
  }
  return (
    <ErrorPage
      icon={CloudOff}
      title="Not on this device yet"
      text={`Go online to load it once. After that it stays on this ${deviceWord()}.`}
      action={
        <Button look="tonal" onClick={() => void engine.pull()}>
          Try again
        </Button>
      }
    />
  );
}
