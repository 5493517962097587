/** Proves that a copy can take the place of its original: nothing is deleted on the word of the code that wrote it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { BlobSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, VideoSampleSink } from 'mediabunny';
import type { FinishedCopy } from '#lib/take-messages.ts';
import { FinishError } from './finish-error.ts';

const TOLERANCE_SECONDS = 0.5;
/** Decoders count in microseconds. */
const ROUNDING_SECONDS = 0.001;
const HASHED_BYTES = 4 * 1024 * 1024;
const BOX_HEADER_BYTES = 16;

/** The names of the file's outermost boxes, in order. */
async function readBoxes(file: Blob): Promise<string[]> {
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

/** Decodes the first picture, and all from the last key picture to the end. */
async function decodeEnds(video: InputVideoTrack): Promise<void> {
  const packets = new EncodedPacketSink(video);
  const pictures = new VideoSampleSink(video);
  const first = await pictures.getSample(await video.getFirstTimestamp());
  first?.close();
  const lastKey = await packets.getKeyPacket(Infinity, { metadataOnly: true });
  const last = await packets.getPacket(Infinity, { metadataOnly: true });
  if (first === null || lastKey === null || last === null) throw new FinishError('unproven', 'There are no pictures');
  let end = -Infinity;
  for await (const picture of pictures.samples(lastKey.timestamp)) {
    end = Math.max(end, picture.timestamp);
    picture.close();
  }
  if (end < last.timestamp - ROUNDING_SECONDS) {
    throw new FinishError('unproven', `The last picture is at ${end} s in place of ${last.timestamp} s`);
  }
}

/**
 * Opens the copy again and checks its index, tracks and length, and decodes its first and last picture.
 * @throws {FinishError} 'unproven' if anything is not as expected, 'unsupported' if pictures cannot be decoded here
 */
export async function proveCopy(file: Blob, expected: { duration: number; hasSound: boolean }): Promise<FinishedCopy> {
  const boxes = await readBoxes(file);
  if (boxes.indexOf('moov') === -1 || boxes.indexOf('moov') > boxes.indexOf('mdat')) {
    throw new FinishError('unproven', `The index is not in front: ${boxes.join(', ')}`);
  }
  const input = new Input({ formats: [MP4], source: new BlobSource(file) });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video === null || (audio !== null) !== expected.hasSound) throw new FinishError('unproven', 'A track is missing');
  const duration = await input.computeDuration();
  if (Math.abs(duration - expected.duration) > TOLERANCE_SECONDS) {
    throw new FinishError('unproven', `The copy has ${duration} s in place of ${expected.duration} s`);
  }
  if (!(await video.canDecode())) throw new FinishError('unsupported', 'The pictures cannot be decoded here');
  await decodeEnds(video);
  return { sha256: await hash(file), size: file.size, duration };
}
