/** The loudness of a microphone. 0 dBFS is the loudest that fits into the recording. */
export interface Level {
  /** Mean of a tenth of a second, dBFS. */
  meanDb: number;
  /** The loudest sample of it, dBFS. */
  peakDb: number;
}

export const SILENT_DB = -60;
const QUIET_DB = -45;
const LOUD_DB = -1;
/** The left end of the meter. */
const LOWEST_DB = -66;

const toDb = (amplitude: number) => (amplitude > 0 ? 20 * Math.log10(amplitude) : -Infinity);

/** Measures samples between -1 and 1. */
export function measureLevel(samples: Float32Array): Level {
  let squares = 0;
  let peak = 0;
  for (const sample of samples) {
    squares += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  return { meanDb: toDb(Math.sqrt(squares / Math.max(1, samples.length))), peakDb: toDb(peak) };
}

export type LevelWord = 'No sound' | 'Too quiet' | 'Good level' | 'Too loud';

/** @param recent the loudest of the last seconds: nobody speaks without pauses */
export function getLevelWord({ meanDb, peakDb }: Level): LevelWord {
  if (peakDb >= LOUD_DB) return 'Too loud';
  if (meanDb < SILENT_DB) return 'No sound';
  return meanDb < QUIET_DB ? 'Too quiet' : 'Good level';
}

/** How far the meter reaches, from 0 to 1. */
export const getLevelShare = ({ meanDb }: Level): number => Math.min(1, Math.max(0, 1 - meanDb / LOWEST_DB));

/** The louder of two, each part for itself. */
export const louder = (a: Level, b: Level): Level => ({
  meanDb: Math.max(a.meanDb, b.meanDb),
  peakDb: Math.max(a.peakDb, b.peakDb),
});

export const NO_LEVEL: Level = { meanDb: -Infinity, peakDb: -Infinity };
