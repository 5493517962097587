import { parseFile } from 'music-metadata';
import { FileRefused, isOurs } from './refused.ts';

/** What is in the containers that are taken, as the library names them. */
const CONTAINERS: Record<AudioKind, RegExp> = {
  mp3: /^MPEG$/,
  wav: /^WAVE$/,
  aac: /^ADTS\//,
  ogg: /^Ogg$/,
};

export type AudioKind = 'mp3' | 'wav' | 'aac' | 'ogg';

/**
 * Reads a recording from end to end, as far as its container goes.
 * @param kind what the first bytes say
 * @returns its duration in seconds
 * @throws FileRefused when it is cut off, damaged or no recording
 */
export async function inspectAudio(file: string, kind: AudioKind): Promise<{ durationSeconds: number }> {
  const { format } = await parseFile(file, { duration: true, skipCovers: true }).catch((error: unknown) => {
    throw isOurs(error) ? error : new FileRefused('This file is damaged or not a recording');
  });
  const isIt = CONTAINERS[kind].test(format.container ?? '') && format.hasAudio !== false;
  const { duration } = format;
  if (!isIt || duration === undefined || !Number.isFinite(duration) || duration <= 0) {
    throw new FileRefused('This file is damaged or not a recording');
  }
  return { durationSeconds: duration };
}
