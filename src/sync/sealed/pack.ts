import type { MediaFile } from '#db/rows.ts';
import type { SealedContents } from './contents.ts';
import { SealedError } from './format.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** What of a file is no text. */
type Picture = 'thumb' | 'strip';

/** The JSON part: rows as they are, and where the bytes behind it belong. */
interface Packed extends Pick<SealedContents, 'rows' | 'ids'> {
  media: (Omit<MediaFile, Picture> & { thumbBytes?: number; stripBytes?: number })[];
  chunks: { media: string; n: number; size: number }[];
}

/** Writes contents as one text and the bytes of the files behind it. The first four bytes are the length of the text. */
export function packContents({ rows, ids, media, chunks }: SealedContents): Bytes {
  const blobs: ArrayBuffer[] = [];
  const files = media.map(({ thumb, strip, ...file }) => {
    blobs.push(...(thumb ? [thumb] : []), ...(strip ? [strip] : []));
    return {
      ...file,
      ...(thumb && { thumbBytes: thumb.byteLength }),
      ...(strip && { stripBytes: strip.byteLength }),
    };
  });
  const pieces = chunks.map(({ media: name, n, bytes }) => {
    blobs.push(bytes);
    return { media: name, n, size: bytes.byteLength };
  });
  const json = new TextEncoder().encode(JSON.stringify({ rows, ids, media: files, chunks: pieces } satisfies Packed));
  const out = new Uint8Array(4 + json.length + blobs.reduce((sum, { byteLength }) => sum + byteLength, 0));
  new DataView(out.buffer).setUint32(0, json.length);
  out.set(json, 4);
  let at = 4 + json.length;
  for (const blob of blobs) {
    out.set(new Uint8Array(blob), at);
    at += blob.byteLength;
  }
  return out;
}

/**
 * Reads what `packContents` wrote.
 * @throws {SealedError} if it is not whole: a newer version of the app may write something else
 */
export function unpackContents(bytes: Bytes): SealedContents {
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Packed;
    let at = 4 + length;
    const take = (size: number): ArrayBuffer => {
      if (at + size > bytes.length) throw new RangeError('The bytes of a file are missing');
      at += size;
      return bytes.slice(at - size, at).buffer;
    };
    const media = json.media.map(({ thumbBytes, stripBytes, ...file }) => ({
      ...file,
      ...(thumbBytes !== undefined && { thumb: take(thumbBytes) }),
      ...(stripBytes !== undefined && { strip: take(stripBytes) }),
    }));
    const chunks = json.chunks.map(({ media: name, n, size }) => ({ media: name, n, bytes: take(size) }));
    const isSound =
      json.rows.every(({ op, kind, type, lane, target }) =>
        [op, kind, type, lane, target].every((value) => typeof value === 'string'),
      ) && json.ids.every(({ local, type, server }) => [local, type, server].every((id) => typeof id === 'string'));
    if (!isSound) throw new TypeError('A change or an id is incomplete');
    return { rows: json.rows, ids: json.ids, media, chunks };
  } catch {
    throw new SealedError('newer');
  }
}
