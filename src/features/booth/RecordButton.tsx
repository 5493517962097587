import type { Ref } from 'react';
import type { Phase } from './use-take.ts';

interface RecordButtonProps {
  ref: Ref<HTMLButtonElement>;
  phase: Phase;
  /** 'Take 3' */
  takeName: string;
  /** There is no picture, or the last take is still being written. */
  isDisabled: boolean;
  onClick: () => void;
}

function getLabel(phase: Phase, takeName: string): string {
  if (phase.name === 'recording') return 'Stop recording';
  return phase.name === 'counting' ? 'Cancel the count-in' : `Record ${takeName.toLowerCase()}`;
}

/** The big round button: a dot before, a square while recording. */
export function RecordButton({ ref, phase, takeName, isDisabled, onClick }: RecordButtonProps) {
  const isOn = phase.name === 'recording' || phase.name === 'counting';
  return (
    <button
      ref={ref}
      type="button"
      aria-label={getLabel(phase, takeName)}
      aria-disabled={isDisabled}
      className="grid size-18 shrink-0 cursor-pointer place-items-center rounded-full border-4 border-white bg-black/40 aria-disabled:opacity-40"
      onClick={() => !isDisabled && onClick()}
    >
      <i className={`bg-[oklch(60%_0.21_29)] ${isOn ? 'size-7 rounded-md' : 'size-14 rounded-full'}`} />
    </button>
  );
}
