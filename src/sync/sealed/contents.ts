import type { IdPair, MediaChunk, MediaFile, OutboxRow } from '#db/rows.ts';

/** What a sealed file holds: unsent changes and everything that another device needs to send them. */
export interface SealedContents {
  /** In the order in which they were made. */
  rows: OutboxRow[];
  /** The server ids of the records that the rows name by a local id. */
  ids: IdPair[];
  media: MediaFile[];
  chunks: MediaChunk[];
}

/** What a sealed file has no room for. It stays in the outbox of the device. */
export interface LeftOut {
  /** Number of changes, files included. */
  rows: number;
  /** The files that are too big. */
  files: MediaFile[];
}

/** The most that the files in a sealed file may have together, bytes. */
export const MAX_MEDIA_BYTES = 50 * 1024 * 1024;
