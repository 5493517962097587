import type { MediaItem } from '#db/queries.ts';

/** Bytes of so many media, and how many of them the server has. One on YouTube has none. */
export function getUploadedBytes(items: readonly MediaItem[]): { sent: number; size: number } {
  let sent = 0;
  let size = 0;
  for (const { file, state } of items) {
    if (!file) continue;
    size += file.size;
    sent += state === 'saved' ? file.size : file.offset;
  }
  return { sent, size };
}
