import { CircleArrowDown, CircleCheckBig } from 'lucide-react';
import { useKeepSwitch } from './use-offline-toggle.ts';
import { useKeptMedia } from './use-offline-media.ts';
import { Arc } from '#ui/StatePill.tsx';

interface KeepButtonProps {
  medium: Record<string, unknown>;
  /** For people. */
  name: string;
  className?: string;
}

/** Keeps one medium offline until it is pressed again. Not there for what has no files, such as a video on YouTube. */
export function KeepButton({ medium, name, className = '' }: KeepButtonProps) {
  const standing = useKeptMedia().standingOf(medium);
  const change = useKeepSwitch();
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
