import type { MediaItem } from '#db/queries.ts';

/** The total bytes of media, and how many of them the server has. A YouTube video has none. */
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
