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
  const standing = useOfflineMedia().standingOf(medium);
  const change = useOfflineToggle();
  if (standing === 'none') return null;
  const isWanted = standing !== 'away';
  const isComing = typeof standing === 'number';
  const Icon = isWanted ? CircleCheckBig : CircleArrowDown;
  return (
    <button
      type="button"
      className={`tap ${className}`}
      aria-label={`Keep ${name} offline${isComing ? ', on its way' : ''}`}
      title={isComing ? 'Stop downloading' : isWanted ? 'Remove from offline' : 'Keep offline'}
      aria-pressed={isWanted}
      onClick={() => change({ medium, name, standing })}
    >
      {isComing ? <Arc /> : <Icon className="ic" aria-hidden />}
    </button>
  );
}
