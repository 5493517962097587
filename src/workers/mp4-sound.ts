import {
  AudioSampleSink,
  AudioSampleSource,
  canEncodeAudio,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  type InputAudioTrack,
  type Output,
  Quality,
} from 'mediabunny';
import { createFeeder, type Feeder, type Part, withinPart } from './feeder.ts';
import { FinishError } from './finish-error.ts';

/** The sound of a finished take. Mono stays mono; Safari cannot play more than two channels. */
const SOUND = { codec: 'aac', bitrate: 128_000, sampleRate: 48_000, maxChannels: 2, frame: 1024 } as const;

/**
 * Loads an encoder for AAC if the browser has none, as on Linux and in Firefox.
 * @throws {FinishError} 'not loaded' if it could not be fetched
 */
export async function loadAacEncoder(numberOfChannels: number = SOUND.maxChannels): Promise<void> {
  const quality = new Quality({ bitrate: SOUND.bitrate });
  // Some browsers throw instead of answering no.
  const isThere = await canEncodeAudio(SOUND.codec, {
    numberOfChannels,
    sampleRate: SOUND.sampleRate,
    quality,
  }).catch(() => false);
  if (isThere) return;
  const encoder = await import('@mediabunny/aac-encoder').catch((error: unknown) => {
    throw new FinishError('not loaded', String(error));
  });
  encoder.registerAacEncoder();
}

/** The encoder adds packets of its own at the beginning and end. */
const SPARE_PACKETS = 16;

/** Whether the sound can be taken over as it is. */
export const canCopySound = async (audio: InputAudioTrack): Promise<boolean> =>
  (await audio.getCodec()) === SOUND.codec;

/** Copies sound that is AAC already. */
export async function copySound(output: Output, audio: InputAudioTrack, part: Part): Promise<() => Promise<Feeder>> {
  const source = new EncodedAudioPacketSource(SOUND.codec);
  const decoderConfig = await audio.getDecoderConfig();
  const packetsFrom = async (metadataOnly: boolean) => {
    const sink = new EncodedPacketSink(audio);
    const start = (await sink.getPacket(part.from, { metadataOnly })) ?? undefined;
    return withinPart(sink.packets(start, undefined, { metadataOnly }), part);
  };
  let count = 0;
  for await (const _ of await packetsFrom(true)) count += 1;
  output.addAudioTrack(source, { maximumPacketCount: count });
  return async () =>
    createFeeder(
      await packetsFrom(false),
      ({ timestamp }) => timestamp,
      (packet) =>
        source.add(
          packet.clone({ timestamp: Math.max(0, packet.timestamp - part.from) }),
          decoderConfig ? { decoderConfig } : undefined,
        ),
    );
}

/** Makes AAC of any other sound, with the encoder of the browser or one that is loaded for it. */
export async function encodeSound(output: Output, audio: InputAudioTrack, part: Part): Promise<() => Promise<Feeder>> {
  const channels = Math.min(SOUND.maxChannels, await audio.getNumberOfChannels());
  const quality = new Quality({ bitrate: SOUND.bitrate });
  if (!(await audio.canDecode())) throw new FinishError('unsupported', 'The sound cannot be decoded here');
  await loadAacEncoder(channels);
  const source = new AudioSampleSource({
    codec: SOUND.codec,
    quality,
    transform: { numberOfChannels: channels, sampleRate: SOUND.sampleRate },
  });
  const seconds = part.to - part.from;
  output.addAudioTrack(source, {
    maximumPacketCount: Math.ceil((seconds * SOUND.sampleRate) / SOUND.frame) + SPARE_PACKETS,
  });
  return () =>
    createFeeder(
      withinPart(new AudioSampleSink(audio).samples(part.from, part.to), part, (sample) => sample.close()),
      ({ timestamp }) => timestamp,
      async (sample) => {
        sample.setTimestamp(Math.max(0, sample.timestamp - part.from));
        await source.add(sample);
        sample.close();
      },
    );
}
