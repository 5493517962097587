/** Decides what becomes of a video of the camera roll. Source: docs/decisions/063-converting-videos.md. */
import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny';
import type { ConvertRequest, KeptReason } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';
import { canCopyPictures } from './mp4-pictures.ts';
import { isIndexInFront, readBoxes } from './mp4-proof.ts';
import { canCopySound } from './mp4-sound.ts';

/** A video of at most so many bits per second is small enough, whatever its size in pixels. */
const SMALL_BITS_PER_SECOND = 3_000_000;
/** More than this is hard to decode for a phone with little memory. */
const LARGE_PIXELS = 1280 * 720;

export type Plan = { do: 'keep'; reason: KeptReason } | { do: 'copy' } | { do: 'encode' };

const keep = (reason: KeptReason): Plan => ({ do: 'keep', reason });

/**
 * Chooses the first of: leaving the video as it is, copying its packets into an MP4 with the index in front, making its pictures
 * anew.
 * @throws {FinishError} if none of these is possible here, or the file is no video
 */
export async function planConversion(input: Input, request: ConvertRequest): Promise<Plan> {
  const { file, maxSeconds, canEncodeLarge } = request;
  const video = await input.getPrimaryVideoTrack().catch((error: unknown) => {
    throw new FinishError('unsupported', String(error));
  });
  if (video === null) throw new FinishError('no picture', 'The video has no picture');
  const audio = await input.getPrimaryAudioTrack();
  const seconds = await input.computeDuration();
  if (seconds > maxSeconds) return keep('long');
  const isSmall = file.size * 8 <= seconds * SMALL_BITS_PER_SECOND;
  const isAvc = await canCopyPictures(video);
  if (isAvc && isSmall) return (await isReady(file, audio)) ? keep('small') : { do: 'copy' };
  if (!canEncodeLarge && (await isLarge(video))) return (await fallBack(file, isAvc, audio)) ?? keep('memory');
  if (await canDecode(video)) return { do: 'encode' };
  const plan = await fallBack(file, isAvc, audio);
  if (plan === null) throw new FinishError('unsupported', `${await video.getCodec()} cannot be decoded here`);
  return plan;
}

/** Pictures that are H.264 already can be copied, also where they cannot be made smaller. */
async function fallBack(file: Blob, isAvc: boolean, audio: InputAudioTrack | null): Promise<Plan | null> {
  if (!isAvc) return null;
  return (await isReady(file, audio)) ? keep('small') : { do: 'copy' };
}

/** Whether the file is an MP4 that plays at once everywhere. Its pictures are H.264. */
async function isReady(file: Blob, audio: InputAudioTrack | null): Promise<boolean> {
  if (audio !== null && !(await canCopySound(audio))) return false;
  const isMp4 = await hasMp4Brand(file);
  return isMp4 && isIndexInFront(await readBoxes(file));
}

/** QuickTime files begin in the same way, with a brand of their own. */
async function hasMp4Brand(file: Blob): Promise<boolean> {
  const head = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer());
  return head.startsWith('ftyp') && !head.endsWith('qt  ');
}

const isLarge = async (video: InputVideoTrack): Promise<boolean> =>
  (await video.getCodedWidth()) * (await video.getCodedHeight()) > LARGE_PIXELS;

/** Some browsers throw instead of answering no. */
const canDecode = (video: InputVideoTrack): Promise<boolean> => video.canDecode().catch(() => false);
