/**
 * Rewrites a recording as an MP4 that plays everywhere: the index in front, the sound as AAC. Pictures are copied as they
 * are wherever possible, also when the recording is trimmed. Source: docs/decisions/051-finishing-takes.md.
 */
import { type Input, Mp4OutputFormat, Output, type Target } from 'mediabunny';
import type { TimeRange } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';
import { canCopyPictures, copyPictures, encodePictures, measure } from './mp4-pictures.ts';
import { whenRunning } from './pause.ts';
import { canCopySound, copySound, encodeSound } from './mp4-sound.ts';

export interface CopyOptions {
  /** The part to keep; null for all of it. Sound that goes on after the last picture is cut off with a part. */
  range: TimeRange | null;
  /** Makes the pictures anew, also those that could be copied. */
  encodes?: boolean;
  /** Keeps sound that goes on after the last picture. */
  keepsAllSound?: boolean;
  /** Called with the pictures written and their number. */
  onProgress(done: number, total: number): void;
}

/** What the copy must have. */
export interface Expected {
  /** Seconds from the first picture to the end of the last one. */
  duration: number;
  pictures: number;
  hasSound: boolean;
}

/**
 * Writes the recording, or a part of it, to the target.
 * @throws {FinishError} if the recording cannot be copied here
 */
export async function copyToMp4(
  input: Input,
  target: Target,
  { range, encodes = false, keepsAllSound = false, onProgress }: CopyOptions,
): Promise<Expected> {
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video === null) throw new FinishError('no picture', 'The recording has no picture');
  const isCopied = !encodes && (await canCopyPictures(video));
  const part = await measure(video, range, isCopied);
  const soundPart = keepsAllSound && audio ? { ...part, to: Math.max(part.to, await audio.computeDuration()) } : part;
  // Room for the index is kept in front and filled at the end, so that nothing of the file has to stay in memory.
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'reserve' }), target });
  let done = 0;
  const handlePicture = () => onProgress((done += 1), part.packets);
  const openPictures = await (isCopied ? copyPictures : encodePictures)(output, video, part, handlePicture);
  const openSound = audio && (await ((await canCopySound(audio)) ? copySound : encodeSound)(output, audio, soundPart));
  await output.start();
  const feeders = [await openPictures(), ...(openSound ? [await openSound()] : [])];
  for (;;) {
    // In the order of time: otherwise the output would hold back all of one track until the other begins.
    const next = feeders.reduce((a, b) => ((b.at ?? Infinity) < (a.at ?? Infinity) ? b : a));
    if (next.at === null) break;
    await whenRunning();
    await next.step();
  }
  await output.finalize();
  return { duration: part.to - part.from, pictures: part.packets, hasSound: audio !== null };
}
