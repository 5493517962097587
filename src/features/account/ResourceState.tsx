import { RefreshCw } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import type { ServerResource } from './use-server-resource.ts';

interface ResourceStateProps {
  resource: ServerResource<unknown>;
  /** Announced to screen readers: 'Loading your devices'. */
  loadingLabel: string;
  /** Class for the height of what is being loaded. */
  height: string;
  /** Set where a text stands above. */
  className?: string;
}

/** What a card shows in place of data that are being loaded or cannot be had. Nothing once they are there. */
export function ResourceState({ resource, loadingLabel, height, className }: ResourceStateProps) {
  if (resource.status === 'loaded') return null;
  if (resource.status === 'loading') {
    return (
      <Loading label={loadingLabel}>
        <div className={className}>
          <Skeleton className={`w-full ${height}`} />
        </div>
      </Loading>
    );
  }
  return (
    <div className={className}>
      <p className="text-muted">{resource.message}</p>
      {resource.canRetry && (
        <Button look="line" icon={RefreshCw} className="mt-3" onClick={() => void resource.retry()}>
          Try again
        </Button>
      )}
    </div>
  );
}
