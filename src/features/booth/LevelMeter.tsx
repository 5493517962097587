import { Mic } from 'lucide-react';
import { getLevelShare, getLevelWord, type Level } from './level.ts';

const BARS = 16;
/** From this bar on, a voice is too near. */
const LOUD_FROM = 13;

interface LevelMeterProps {
  now: Level;
  /** The loudest of the last seconds; null until they have been heard. */
  recent: Level | null;
}

/** The loudness of the microphone as bars, and in words. */
export function LevelMeter({ now, recent }: LevelMeterProps) {
  const share = getLevelShare(now);
  const word = recent && getLevelWord(recent);
  return (
    <div className="flex min-h-11 items-center gap-3 rounded-2xl bg-black/75 px-3.5">
      <Mic className="ic" aria-hidden />
      <span
        role="meter"
        aria-label="Microphone level"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={word ?? undefined}
        className="flex h-4 items-center gap-0.5"
      >
        {Array.from({ length: BARS }, (_, n) => (
          <i key={n} className={`h-full w-1.5 rounded-full ${getBarColor(n, share)}`} />
        ))}
      </span>
      <span className="grow text-right text-sm font-semibold whitespace-nowrap">{word ?? 'Listening'}</span>
    </div>
  );
}

function getBarColor(n: number, share: number): string {
  if (n >= share * BARS) return 'bg-white/25';
  return n >= LOUD_FROM ? 'bg-accent' : 'bg-success';
}
