import { Film, FlipHorizontal2, SwitchCamera, Timer, TimerOff, type LucideIcon } from 'lucide-react';
import type { ComponentProps, Ref } from 'react';
import { count } from '#lib/text.ts';
import { RecordButton } from './RecordButton.tsx';
import type { BoothSettings } from './settings.ts';
import type { Phase } from './use-take.ts';

interface BoothControlsProps {
  recordButton: Ref<HTMLButtonElement>;
  phase: Phase;
  takeName: string;
  takeCount: number;
  /** There is a picture. */
  isReady: boolean;
  settings: BoothSettings;
  onChange: (change: Partial<BoothSettings>) => void;
  onRecord: () => void;
  onTakes: () => void;
}

/** The buttons under the thumb: below the picture, or beside it when the phone is held sideways. */
export function BoothControls(props: BoothControlsProps) {
  const { recordButton, phase, takeName, takeCount, isReady, settings, onChange, onRecord, onTakes } = props;
  const { facing, hasCountIn, isMirrored } = settings;
  const isIdle = phase.name === 'idle';
  // While a take is running there is one button: nothing can be hit by mistake.
  const hidden = isIdle ? '' : 'invisible';
  return (
    <div className="flex shrink-0 items-center justify-between gap-2 bg-black/75 px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] landscape:w-24 landscape:flex-col landscape:px-0 landscape:py-4">
      <RoundButton
        label="Use the other camera"
        icon={SwitchCamera}
        className={hidden}
        onClick={() => onChange({ facing: facing === 'user' ? 'environment' : 'user', cameraId: null })}
      />
      <RoundButton
        label="Mirror the prompter"
        icon={FlipHorizontal2}
        aria-pressed={isMirrored}
        className={hidden}
        onClick={() => onChange({ isMirrored: !isMirrored })}
      />
      <RecordButton
        ref={recordButton}
        phase={phase}
        takeName={takeName}
        isDisabled={phase.name === 'saving' || (isIdle && !isReady)}
        onClick={onRecord}
      />
      <RoundButton
        label="Count in: 3, 2, 1"
        icon={hasCountIn ? Timer : TimerOff}
        aria-pressed={hasCountIn}
        className={hidden}
        onClick={() => onChange({ hasCountIn: !hasCountIn })}
      />
      <RoundButton label={count(takeCount, 'take')} icon={Film} className={hidden} onClick={onTakes} />
    </div>
  );
}

interface RoundButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'type'> {
  label: string;
  icon: LucideIcon;
}

function RoundButton({ label, icon: Icon, className, ...rest }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={`grid size-12 shrink-0 cursor-pointer place-items-center rounded-full bg-black/60 aria-pressed:bg-white/20 ${className ?? ''}`}
      {...rest}
    >
      <Icon className="ic size-[22px]" aria-hidden />
    </button>
  );
}
