/** Proves that a copy can take the place of its original: nothing is deleted on the word of the code that wrote it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { BlobSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, VideoSampleSink } from 'mediabunny';
import type { FinishedCopy } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';
import type { Expected } from './mp4-copy.ts';

/** Of a take, whose recorder rounds its last picture. */
const TAKE_TOLERANCE_SECONDS = 0.5;
/** Decoders count in microseconds. */
const ROUNDING_SECONDS = 0.001;
const HASHED_BYTES = 4 * 1024 * 1024;
const BOX_HEADER_BYTES = 16;

/** The names of the file's outermost boxes, in order. */
export async function readBoxes(file: Blob): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at + 8 <= file.size;) {
    const head = new DataView(await file.slice(at, at + BOX_HEADER_BYTES).arrayBuffer());
    names.push(String.fromCharCode(...[4, 5, 6, 7].map((n) => head.getUint8(n))));
    const short = head.getUint32(0);
    // 1: the size follows as 64 bits. 0: the box reaches to the end of the file.
    const size = short === 1 ? Number(head.getBigUint64(8)) : short === 0 ? file.size - at : short;
    if (size < 8) throw new FinishError('unproven', 'The file has a box without a size');
    at += size;
  }
  return names;
}

/** SHA-256 of a file that may be too large for the memory of a phone. */
async function hash(file: Blob): Promise<string> {
  const digest = sha256.create();
  for (let at = 0; at < file.size; at += HASHED_BYTES) {
    digest.update(new Uint8Array(await file.slice(at, at + HASHED_BYTES).arrayBuffer()));
  }
  return bytesToHex(digest.digest());
}

/** Whether the index of an MP4 is in front of its pictures and sound. */
export function isIndexInFront(boxes: readonly string[]): boolean {
  const index = boxes.indexOf('moov');
  return index !== -1 && index < boxes.indexOf('mdat');
}

/** Decodes the first picture, the one in the middle, and all from the last key picture to the end. */
async function decodeSome(video: InputVideoTrack): Promise<void> {
  const packets = new EncodedPacketSink(video);
  const pictures = new VideoSampleSink(video);
  const first = await pictures.getSample(await video.getFirstTimestamp());
  first?.close();
  const middle = await pictures.getSample((await video.computeDuration()) / 2);
  middle?.close();
  const lastKey = await packets.getKeyPacket(Infinity, { metadataOnly: true });
  const last = await packets.getPacket(Infinity, { metadataOnly: true });
  if (first === null || middle === null || lastKey === null || last === null)
    throw new FinishError('unproven', 'There are no pictures');
  let end = -Infinity;
  for await (const picture of pictures.samples(lastKey.timestamp)) {
    end = Math.max(end, picture.timestamp);
    picture.close();
  }
  if (end < last.timestamp - ROUNDING_SECONDS) {
    throw new FinishError('unproven', `The last picture is at ${end} s in place of ${last.timestamp} s`);
  }
}

/** How far the copy may be off: two pictures of a video of the camera roll, which may not get shorter. */
const getTolerance = ({ duration, pictures }: Expected) => (2 * duration) / Math.max(1, pictures) + ROUNDING_SECONDS;

/**
 * Opens the copy again and checks its index, tracks and length, and decodes its first, middle and last picture.
 * @param isTake the recording of a take, whose length is less exact
 * @throws {FinishError} 'unproven' if anything is not as expected, 'unsupported' if pictures cannot be decoded here
 */
export async function proveCopy(file: Blob, expected: Expected, isTake: boolean): Promise<FinishedCopy> {
  const boxes = await readBoxes(file);
  if (!isIndexInFront(boxes)) {
    throw new FinishError('unproven', `The index is not in front: ${boxes.join(', ')}`);
  }
  const input = new Input({ formats: [MP4], source: new BlobSource(file) });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video === null || (audio !== null) !== expected.hasSound) throw new FinishError('unproven', 'A track is missing');
  const duration = await input.computeDuration();
  const compared = isTake ? duration : (await video.computeDuration()) - (await video.getFirstTimestamp());
  const tolerance = isTake ? TAKE_TOLERANCE_SECONDS : getTolerance(expected);
  if (Math.abs(compared - expected.duration) > tolerance) {
    throw new FinishError('unproven', `The copy has ${compared} s in place of ${expected.duration} s`);
  }
  if (!(await video.canDecode())) throw new FinishError('unsupported', 'The pictures cannot be decoded here');
  await decodeSome(video);
  return { sha256: await hash(file), size: file.size, duration };
}
