import { ArrowDownToLine, CircleArrowDown } from 'lucide-react';
import { useOfflineMedia } from './use-offline-media.ts';
import { percent } from '#lib/amounts.ts';
import { SmallMark } from '#ui/SmallMark.tsx';

/** The badge of a medium that is pinned, or is being downloaded for that. */
export function OfflineBadge({ medium }: { medium: Record<string, unknown> }) {
  const status = useOfflineMedia().getStatus(medium);
  if (status === 'kept') return <SmallMark icon={CircleArrowDown}>Kept</SmallMark>;
  if (typeof status !== 'number') return null;
  return <SmallMark icon={ArrowDownToLine}>{percent(status, 1)}%</SmallMark>;
}
