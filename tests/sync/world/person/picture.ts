import type { Dice } from '../dice.ts';
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

/** A picture as a picker gives it, of bytes that no other has. */
export function pickedFile(throws: Dice, marker: number) {
  const tail = 10 + throws.int(throws.chance(0.3) ? 30_000 : 9000);
  const bytes = new Uint8Array(JPEG.length + tail).map((_, index) => (index * 31 + marker * 7) & 255);
  bytes.set(JPEG);
  bytes.set(new TextEncoder().encode(markerOf(marker)), JPEG.length);
  const file = {
    name: `photo-${marker}.jpg`,
    type: 'image/jpeg',
    size: bytes.length,
    slice: (start: number, end: number) => ({
      arrayBuffer: () => Promise.resolve(bytes.slice(start, end).buffer),
    }),
  };
  return { file, sha256: sha256(bytes) };
}
