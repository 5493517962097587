import type { MediaType } from '#contract/media-types.ts';
import { box, mp4, pdf, wav } from '../../../server/support/media-files.ts';
import type { Prng } from '../prng.ts';
import { markerOf } from '../markers.ts';
import { sha256 } from '../server/fake-store.ts';

/** Two pixels by two: enough for a real server to decode. Whatever stands behind a JPEG's end belongs to nobody. */
const JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjsh' +
    'ITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAA' +
    'AAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAM' +
    'AwEAAhEDEQA/AIYBo7//2Q==',
  'base64',
);

/** Bytes that no other file has, with the marker on top. */
function own(prng: Prng, marker: number): Uint8Array {
  const length = 10 + prng.int(prng.chance(0.3) ? 30_000 : 9000);
  const bytes = new Uint8Array(length).map((_, index) => (index * 31 + marker * 7) & 255);
  const mark = new TextEncoder().encode(markerOf(marker));
  const out = new Uint8Array(Math.max(length, mark.length));
  out.set(bytes);
  out.set(mark);
  return out;
}

/** Whole files that a real server takes, with bytes of their own where their kind has room for any. */
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

/** A file as a picker gives it, of bytes that no other has. */
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
