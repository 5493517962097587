import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { NotHereYet } from './NotHereYet.tsx';
import { useOnline } from '#shared/queries/use-online.ts';

/**
 * Stands for a list that this device has not got from the server yet: a new device must not claim that it is empty.
 * @param label what loads: 'Loading messages'
 */
export function FirstPull({ label }: { label: string }) {
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
  return <NotHereYet title="Not on this device yet" doing="load it once" />;
}
