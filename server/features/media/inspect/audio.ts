import { parseFile } from 'music-metadata';
import { measureFrames, readAacFrame, readMp3Frame } from './frames.ts';
import { FileRefused, isOurs } from './refused.ts';

/** Accepted codecs by container, as the library names them. */
const CONTAINERS: Record<AudioKind, RegExp> = {
  mp3: /^MPEG$/,
  wav: /^WAVE$/,
  aac: /^ADTS\//,
  ogg: /^Ogg$/,
};

/** For files whose duration is nowhere but in their frames. */
const FRAME_READERS: Partial<Record<AudioKind, typeof readMp3Frame>> = { mp3: readMp3Frame, aac: readAacFrame };

export type AudioKind = 'mp3' | 'wav' | 'aac' | 'ogg';

/**
 * Inspects the whole container of a recording.
 * @param kind the type that the first bytes indicate
 * @returns its duration in seconds
 * @throws FileRefused if it is truncated, damaged or not a recording
 */
export async function inspectAudio(file: string, kind: AudioKind): Promise<{ durationSeconds: number }> {
  const { format } = await parseFile(file, { duration: false, skipCovers: true }).catch((error: unknown) => {
    throw isOurs(error) ? error : new FileRefused('This file is damaged or not a recording');
  });
  const isIt = CONTAINERS[kind].test(format.container ?? '') && format.hasAudio !== false;
  const readFrame = FRAME_READERS[kind];
  const duration = format.duration ?? (isIt && readFrame ? await measureFrames(file, readFrame) : undefined);
  if (!isIt || duration === undefined || !Number.isFinite(duration) || duration <= 0) {
    throw new FileRefused('This file is damaged or not a recording');
  }
  return { durationSeconds: duration };
}
