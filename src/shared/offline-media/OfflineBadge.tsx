import { ArrowDownToLine, CircleArrowDown } from 'lucide-react';
import { useOfflineMedia } from './use-offline-media.ts';
import { percent } from '#lib/amounts.ts';
import { Badge } from '#ui/Badge.tsx';

/** The badge of a medium that is pinned, or is being downloaded for that. */
export function OfflineBadge({ medium }: { medium: Record<string, unknown> }) {
  const status = useOfflineMedia().getStatus(medium);
  if (status === 'kept') return <Badge icon={CircleArrowDown}>Kept</Badge>;
  if (typeof status !== 'number') return null;
  return <Badge icon={ArrowDownToLine}>{percent(status, 1)}%</Badge>;
}
