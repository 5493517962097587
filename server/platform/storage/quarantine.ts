import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';

/** How long a signed address works. Long enough for a part on a slow connection, too short to be passed on. */
export const ADDRESS_SECONDS = 15 * 60;

/** A file that is being sent: its unguessable name, and the bucket's id of the upload. */
export interface Place {
  name: string;
  uploadId: string;
}

/** A part that the bucket has. */
export interface ReceivedPart {
  n: number;
  size: number;
  /** Lower-case hex; null if the bucket computes no SHA-256. */
  sha256: string | null;
  etag: string;
}

/** A part of a file that is put together from another: the bytes from `start` up to `end`, copied or taken from a local file. */
export interface Piece {
  start: number;
  end: number;
  isRewritten: boolean;
}

/**
 * A folder of the bucket that receives files directly from devices. Nothing serves its objects or signs addresses to read them. A file that
 * was checked is copied to its final key, and the server does not carry its bytes.
 * Source: docs/decisions/064-direct-uploads.md.
 */
export interface Quarantine {
  /** The origin that devices send to. */
  origin: string;
  /** Begins an upload. @returns the bucket's id of it */
  begin(name: string): Promise<string>;
  /** The parts that have arrived, by number; null if the bucket does not know the upload (any more). */
  listParts(place: Place): Promise<ReceivedPart[] | null>;
  /** Signs the address of a part. The bucket takes exactly the bytes with this length and digest. */
  signPart(
    place: Place,
    part: { n: number; size: number; sha256: string },
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** Puts the parts together. @returns false if the bucket does not know the upload, which may be complete already */
  complete(place: Place, parts: readonly ReceivedPart[]): Promise<boolean>;
  /**
   * The size of a complete file in bytes, and the SHA-256 of the digests of its parts (lower-case hex; null if the bucket computes none). Null if
   * there is no such file.
   */
  describe(name: string): Promise<{ size: number; digestOfParts: string | null } | null>;
  /** Reads a complete file, or a range of it; null if there is none. */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Stores a complete file under its final key. @param read returns the bytes of a rewritten piece */
  publish(name: string, key: string, pieces: readonly Piece[], read: (piece: Piece) => Promise<Buffer>): Promise<void>;
  /** Ends an upload and removes what arrived of it. */
  abort(place: Place): Promise<void>;
  /** Removes a complete file. */
  remove(name: string): Promise<void>;
  /** Lists the complete files and the unfinished uploads. */
  list(): AsyncIterable<{ name: string; uploadId: string | null; storedAt: Date }>;
}
