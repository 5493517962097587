import { LIMITS } from '#contract/limits.ts';

const RATE = 8000;
const HEAD_BYTES = 44;

/** A made-up voice: syllables of a hum that rises and falls. */
export interface Hum {
  seconds: number;
  /** Hertz. */
  pitch: number;
  /** Any whole number; the rhythm follows from it. */
  seed: number;
}

/** Volume of the voice at a point in time, 0–1. */
function loudnessAt(second: number, seed: number): number {
  const phrase = Math.max(0, Math.sin(second * (0.9 + (seed % 5) * 0.12) + seed));
  const syllable = 0.55 + 0.45 * Math.sin(second * (17 + (seed % 7)));
  return Math.sqrt(phrase) * syllable;
}

/** Generates a mono WAV file, 8 bit, 8 kHz. The same hum always yields the same file. */
export function record({ seconds, pitch, seed }: Hum): Buffer {
  const length = seconds * RATE;
  const file = Buffer.alloc(HEAD_BYTES + length, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  // PCM, one channel; bytes per second, per sample, bits per sample.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(length, 40);
  let turn = 0;
  for (let at = 0; at < length; at += 1) {
    const second = at / RATE;
    turn += (2 * Math.PI * pitch * (1 + 0.08 * Math.sin(second * 2.3 + seed))) / RATE;
    const voice = Math.sin(turn) + 0.5 * Math.sin(2 * turn) + 0.25 * Math.sin(3 * turn);
    file[HEAD_BYTES + at] = 128 + Math.round(46 * voice * loudnessAt(second, seed));
  }
  return file;
}

/** Waveform peaks, normalized to 0–1, computed as in the app. */
export function peaksOf({ seconds, seed }: Hum): number[] {
  return Array.from({ length: LIMITS.waveformPeaks }, (_, at) => {
    const second = (at / LIMITS.waveformPeaks) * seconds;
    return Math.round(Math.max(0, loudnessAt(second, seed)) * 100) / 100;
  });
}
