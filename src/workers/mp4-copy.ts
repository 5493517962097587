/**
 * Rewrites a recording as an MP4 that plays everywhere: the index in front, the sound as AAC. Pictures are copied as they
 * are wherever possible, also when the recording is trimmed. Source: docs/decisions/051-finishing-takes.md.
 */
import { type Input, Mp4OutputFormat, Output, type Target } from 'mediabunny';
import type { TimeRange } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';
import { canCopyPictures, copyPictures, encodePictures, measure } from './mp4-pictures.ts';
import { canCopySound, copySound, encodeSound } from './mp4-sound.ts';

/**
 * Writes the recording, or the range of it, to the target.
 * @param onProgress called with the pictures written and their number
 * @returns the length that the copy must have, in seconds, and whether it must have sound
 * @throws {FinishError} if the recording cannot be copied here
 */
export async function copyToMp4(
  input: Input,
  range: TimeRange | null,
  target: Target,
  onProgress: (done: number, total: number) => void,
): Promise<{ duration: number; hasSound: boolean }> {
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video === null) throw new FinishError('no picture', 'The recording has no picture');
  const isCopied = await canCopyPictures(video);
  const part = await measure(video, range, isCopied);
  // Room for the index is kept in front and filled at the end, so that nothing of the file has to stay in memory.
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'reserve' }), target });
  let done = 0;
  const handlePicture = () => onProgress((done += 1), part.packets);
  const openPictures = await (isCopied ? copyPictures : encodePictures)(output, video, part, handlePicture);
  const openSound = audio && (await ((await canCopySound(audio)) ? copySound : encodeSound)(output, audio, part));
  await output.start();
  const feeders = [await openPictures(), ...(openSound ? [await openSound()] : [])];
  for (;;) {
    // In the order of time: otherwise the output would hold back all of one track until the other begins.
    const next = feeders.reduce((a, b) => ((b.at ?? Infinity) < (a.at ?? Infinity) ? b : a));
    if (next.at === null) break;
    await next.step();
  }
  await output.finalize();
  return { duration: part.to - part.from, hasSound: audio !== null };
}
