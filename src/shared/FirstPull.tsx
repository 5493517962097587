import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { NotHereYet } from './NotHereYet.tsx';
import { useOnline } from '#shared/queries/use-online.ts';

interface FirstPullProps {
  label: string;
  className?: string;
}

/**
 * Placeholder for a list that this device has not received yet, because a new device must not claim that the list is
 * empty.
 * @param label text for screen readers: 'Loading messages'
 * @param className position and width; by default a centered column
 */
export function FirstPull({ label, className = 'mx-auto w-full max-w-[672px] px-3 pt-1 md:pt-6' }: FirstPullProps) {
  const isOnline = useOnline();
  if (isOnline) {
    return (
      <div className={className}>
        <Loading label={label} isPage>
          <Skeleton className="h-64 w-full rounded-box" />
        </Loading>
      </div>
    );
  }
  return <NotHereYet title="Not on this device yet" doing="load it once" />;
}
