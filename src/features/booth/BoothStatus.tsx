import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatDuration } from '#lib/dates.ts';
import { DeviceIcon } from '#ui/StatePill.tsx';
import type { Level } from './level.ts';
import { LevelMeter } from './LevelMeter.tsx';
import { StepChip } from './StepChip.tsx';
import { type BoothSettings, SIZES, SPEEDS } from './settings.ts';
import type { Phase } from './use-take.ts';

const MANY_MINUTES = 600;

interface BoothStatusProps {
  phase: Phase;
  message: string | null;
  heard: { now: Level; recent: Level | null } | null;
  freeMinutes: number | null;
  settings: BoothSettings;
  /** There is text that scrolls or a sound that plays during a take. */
  hasLines: boolean;
  isPaused: boolean;
  onPause: () => void;
  onChange: (change: Partial<BoothSettings>) => void;
}

/** Below the picture: what happens, the microphone, and before a take what can be set. */
export function BoothStatus(props: BoothStatusProps) {
  const { phase, message, heard, freeMinutes, settings, hasLines, isPaused, onPause, onChange } = props;
  const isIdle = phase.name === 'idle';
  return (
    <div className="space-y-3 px-4 pb-3">
      {phase.name === 'counting' && (
        <p role="status" className="num text-center text-7xl font-bold [text-shadow:0_2px_8px_#000]">
          {phase.left}
        </p>
      )}
      {message !== null && isIdle && (
        <p
          role="alert"
          className="mx-auto w-fit rounded-2xl bg-phone-tint px-4 py-2 text-center font-semibold text-phone"
        >
          {message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {heard && <LevelMeter {...heard} />}
        {phase.name === 'recording' && <Running startedAt={phase.startedAt} />}
        {phase.name === 'recording' && hasLines && (
          <button type="button" className={`cursor-pointer ${CHIP}`} onClick={onPause}>
            {isPaused ? <Play className="ic" aria-hidden /> : <Pause className="ic" aria-hidden />}
            {isPaused ? 'Go on with the lines' : 'Pause the lines'}
          </button>
        )}
        {phase.name === 'saving' && <span className={CHIP}>Saving</span>}
        {isIdle && freeMinutes !== null && (
          <span className={`num ${CHIP}`}>
            <DeviceIcon />
            {freeMinutes > MANY_MINUTES ? `Over ${MANY_MINUTES / 60} h free` : `${freeMinutes} min free`}
          </span>
        )}
        {isIdle && settings.script.trim() !== '' && (
          <>
            <StepChip
              label="Prompter speed"
              text={`Speed ${settings.speed}`}
              value={settings.speed}
              limits={SPEEDS}
              onChange={(speed) => onChange({ speed })}
            />
            <StepChip
              label="Prompter size"
              text={`Size ${settings.size}`}
              value={settings.size}
              limits={SIZES}
              onChange={(size) => onChange({ size })}
            />
          </>
        )}
      </div>
    </div>
  );
}

const CHIP = 'flex min-h-11 items-center gap-2 rounded-2xl bg-black/75 px-3.5 text-sm font-semibold';

/** The length of the running take. */
function Running({ startedAt }: { startedAt: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedAt) / 1000)), 250);
    return () => clearInterval(timer);
  }, [startedAt]);
  return (
    <>
      <span className={`num ${CHIP}`} role="timer" aria-label="Length of this take">
        <i className="size-2.5 rounded-full bg-[oklch(66%_0.2_30)]" />
        {formatDuration(seconds)}
      </span>
      <span className={CHIP}>
        <DeviceIcon />
        Every second is kept
      </span>
    </>
  );
}
