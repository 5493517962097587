import { CircleArrowDown, CircleCheckBig } from 'lucide-react';
import { useOfflineToggle } from './use-offline-toggle.ts';
import { useOfflineMedia } from './use-offline-media.ts';
import { Arc } from '#ui/StatePill.tsx';

interface OfflineButtonProps {
  medium: Record<string, unknown>;
  /** For people. */
  name: string;
  className?: string;
}

/** Keeps one medium offline until it is pressed again. Not there for what has no files, such as a video on YouTube. */
export function OfflineButton({ medium, name, className = '' }: OfflineButtonProps) {
  const status = useOfflineMedia().getStatus(medium);
  const change = useOfflineToggle();
  if (status === 'none') return null;
  const isWanted = status !== 'away';
  const isComing = typeof status === 'number';
  const Icon = isWanted ? CircleCheckBig : CircleArrowDown;
  return (
    <button
      type="button"
      className={`tap ${className}`}
      aria-label={`Keep ${name} offline${isComing ? ', on its way' : ''}`}
      title={isComing ? 'Stop downloading' : isWanted ? 'Remove from offline' : 'Keep offline'}
      aria-pressed={isWanted}
      onClick={() => change({ medium, name, status })}
    >
      {isComing ? <Arc /> : <Icon className="ic" aria-hidden />}
    </button>
  );
}
