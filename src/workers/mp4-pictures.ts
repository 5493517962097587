import {
  canEncodeVideo,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputVideoTrack,
  type Output,
  Quality,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny';
import { fitPicture } from '#lib/fit-picture.ts';
import type { TimeRange } from '#lib/take-messages.ts';
import { createFeeder, type Feeder, type Part } from './feeder.ts';
import { FinishError } from './finish-error.ts';

/** The pictures of a finished video. Those of more than `fastest` pictures per second get `frameRate`. */
const PICTURE = { codec: 'avc', bitrate: 2_500_000, keyFrameSeconds: 1, frameRate: 30, fastest: 31 } as const;

/** Whether the pictures can be taken over as they are. */
export const canCopyPictures = async (video: InputVideoTrack): Promise<boolean> =>
  (await video.getCodec()) === PICTURE.codec;

/**
 * Counts the pictures without reading them.
 * @param isCopied pictures that are copied can only begin at a key picture: the last one before `range.from`
 */
export async function measure(video: InputVideoTrack, range: TimeRange | null, isCopied: boolean): Promise<Part> {
  const sink = new EncodedPacketSink(video);
  const wanted = range && (await sink.getKeyPacket(range.from, { verifyKeyPackets: true }));
  const first = wanted ?? (await sink.getFirstKeyPacket());
  if (first === null) throw new FinishError('no picture', 'The recording has no key picture');
  const from = range && !isCopied ? Math.max(range.from, first.timestamp) : first.timestamp;
  let packets = 0;
  let to = first.timestamp;
  for await (const packet of sink.packets(first, undefined, { metadataOnly: true })) {
    if (range && packet.timestamp >= range.to) return { first, end: packet, from, to: Math.min(to, range.to), packets };
    packets += 1;
    to = Math.max(to, packet.timestamp + packet.duration);
  }
  return { first, end: undefined, from, to, packets };
}

/** Copies pictures that are H.264 already. */
export async function copyPictures(
  output: Output,
  video: InputVideoTrack,
  part: Part,
  onPicture: () => void,
): Promise<() => Promise<Feeder>> {
  const source = new EncodedVideoPacketSource(PICTURE.codec);
  const decoderConfig = await video.getDecoderConfig();
  output.addVideoTrack(source, {
    rotation: await video.getRotation(),
    maximumPacketCount: part.packets,
  });
  return () =>
    createFeeder(
      new EncodedPacketSink(video).packets(part.first, part.end),
      ({ timestamp }) => timestamp,
      async (packet) => {
        await source.add(
          packet.clone({ timestamp: packet.timestamp - part.from }),
          decoderConfig ? { decoderConfig } : undefined,
        );
        onPicture();
      },
    );
}

/**
 * Makes small H.264 of pictures of another kind or of larger ones. They are turned upright here, so that no player has to. Takes
 * longer than the recording on most devices.
 */
export async function encodePictures(
  output: Output,
  video: InputVideoTrack,
  part: Part,
  onPicture: () => void,
): Promise<() => Promise<Feeder>> {
  const quality = new Quality({ bitrate: PICTURE.bitrate });
  const size = fitPicture(await video.getDisplayWidth(), await video.getDisplayHeight());
  const isFast = part.packets / (part.to - part.from) > PICTURE.fastest;
  // Some browsers throw instead of answering no.
  const canEncode = await canEncodeVideo(PICTURE.codec, { ...size, quality }).catch(() => false);
  if (!canEncode || !(await video.canDecode())) {
    throw new FinishError('unsupported', `${await video.getCodec()} cannot be made H.264 here`);
  }
  const source = new VideoSampleSource({
    codec: PICTURE.codec,
    quality,
    keyFrameInterval: PICTURE.keyFrameSeconds,
    // A phone that was turned during the take.
    sizeChangeBehavior: 'contain',
    transform: { ...size, force: true, alpha: 'discard', ...(isFast && { frameRate: PICTURE.frameRate }) },
  });
  const slower = Math.ceil((part.to - part.from) * PICTURE.frameRate) + 2;
  output.addVideoTrack(source, { maximumPacketCount: isFast ? Math.max(part.packets, slower) : part.packets });
  return () =>
    createFeeder(
      new VideoSampleSink(video).samples(part.from, part.to),
      ({ timestamp }) => timestamp,
      async (sample) => {
        sample.setTimestamp(Math.max(0, sample.timestamp - part.from));
        await source.add(sample);
        sample.close();
        onPicture();
      },
    );
}
