import { CircleArrowDown, CircleCheckBig } from 'lucide-react';
import { useKeepSwitch } from './use-keep-switch.ts';
import { useKeptMedia } from './use-kept-media.ts';
import { Corner } from '#ui/Corner.tsx';
import { Arc } from '#ui/StatePill.tsx';

interface KeepButtonProps {
  medium: Record<string, unknown>;
  /** For people. */
  name: string;
  /** It stands on a picture. */
  isOver?: boolean;
}

/** Keeps one medium offline until it is pressed again. Not there for what has no files, such as a video on YouTube. */
export function KeepButton({ medium, name, isOver = false }: KeepButtonProps) {
  const standing = useKeptMedia().standingOf(medium);
  const change = useKeepSwitch();
  if (standing === 'none') return null;
  const isWanted = standing !== 'away';
  const isComing = typeof standing === 'number';
  const Icon = isWanted ? CircleCheckBig : CircleArrowDown;
  return (
    <button
      type="button"
      className="tap"
      aria-label={`Keep ${name} offline${isComing ? ', on its way' : ''}`}
      title={isComing ? 'Stop fetching it' : isWanted ? 'No longer keep offline' : 'Keep offline'}
      aria-pressed={isWanted}
      onClick={() => change({ medium, name, standing })}
    >
      <Corner isOver={isOver}>{isComing ? <Arc /> : <Icon className="ic" aria-hidden />}</Corner>
    </button>
  );
}
