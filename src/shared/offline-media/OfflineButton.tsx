import { CircleArrowDown, CircleCheckBig } from 'lucide-react';
import { useOfflineToggle } from './use-offline-toggle.ts';
import { useOfflineMedia } from './use-offline-media.ts';
import { Arc } from '#ui/StatePill.tsx';

interface OfflineButtonProps {
  medium: Record<string, unknown>;
  /** Display name of the medium. */
  name: string;
  className?: string;
}

/** Pins or unpins one medium. Renders nothing for media without files, such as a YouTube video. */
export function OfflineButton({ medium, name, className = '' }: OfflineButtonProps) {
  const status = useOfflineMedia().getStatus(medium);
  const change = useOfflineToggle();
  if (status === 'none') return null;
  const isPinned = status !== 'away';
  const isDownloading = typeof status === 'number';
  const Icon = isPinned ? CircleCheckBig : CircleArrowDown;
  return (
    <button
      type="button"
      className={`tap ${className}`}
      aria-label={`Keep ${name} offline${isDownloading ? ', on its way' : ''}`}
      title={isDownloading ? 'Stop downloading' : isPinned ? 'Remove from offline' : 'Keep offline'}
      aria-pressed={isPinned}
      onClick={() => change({ medium, name, status })}
    >
      {isDownloading ? <Arc /> : <Icon className="ic" aria-hidden />}
    </button>
  );
}
