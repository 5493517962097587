import type { MediaType } from '#contract/media-types.ts';
import { box, mp4, pdf, wav } from '../../../server/support/media-files.ts';
import type { Prng } from '../prng.ts';
import { markerOf } from '../markers.ts';
import { sha256 } from '../server/fake-store.ts';

/** A 2 × 2 JPEG that a real server can decode. Decoders ignore bytes after its end. */
const JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjsh' +
    'ITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAA' +
    'AAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAM' +
    'AwEAAhEDEQA/AIYBo7//2Q==',
  'base64',
);

/** Returns unique bytes that begin with the marker. */
function own(prng: Prng, marker: number): Uint8Array {
  const length = 10 + prng.int(prng.chance(0.3) ? 30_000 : 9000);
  const bytes = new Uint8Array(length).map((_, index) => (index * 31 + marker * 7) & 255);
  const mark = new TextEncoder().encode(markerOf(marker));
  const out = new Uint8Array(Math.max(length, mark.length));
  out.set(bytes);
  out.set(mark);
  return out;
}

/** Complete files that a real server accepts, with unique bytes where their format has room for them. */
const FILES: Record<MediaType, { ending: string; type: string; of: (bytes: Uint8Array) => Uint8Array }> = {
  image: { ending: 'jpg', type: 'image/jpeg', of: (bytes) => Buffer.concat([JPEG, bytes]) },
  video: { ending: 'mp4', type: 'video/mp4', of: (bytes) => Buffer.concat([mp4(), box('free', Buffer.from(bytes))]) },
  audio: {
    ending: 'wav',
    type: 'audio/wav',
    of: (bytes) => {
      const sound = wav(1);
      sound.set(bytes.subarray(0, 8000), sound.length - 8000);
      return sound;
    },
  },
  document: {
    ending: 'pdf',
    type: 'application/pdf',
    of: (bytes) => pdf(`% ${Buffer.from(bytes).toString('base64')}\n`),
  },
};

/** Creates a file with unique bytes, as a file picker returns it. */
export function pickedFile(prng: Prng, marker: number, kind: MediaType = 'image') {
  const { ending, type, of } = FILES[kind];
  const bytes = Uint8Array.from(of(own(prng, marker)));
  const file = {
    name: `${kind}-${marker}.${ending}`,
    type,
    size: bytes.length,
    slice: (start: number, end: number) => ({
      arrayBuffer: () => Promise.resolve(bytes.slice(start, end).buffer),
    }),
  };
  return { file, sha256: sha256(bytes) };
}
