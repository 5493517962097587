import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import { mediaListOf } from '#contract/media-types.ts';
import type { MediaItem } from '#db/queries.ts';

/** The tab of an item; undefined for a kind that this version does not know. */
export function getTab(item: Pick<MediaItem, 'body'>): MediaTab | undefined {
  const kind = mediaListOf(item.body.media_type)?.kind;
  return MEDIA_TABS.find(({ key }) => key === kind);
}

/** The display name of an item, also for screen readers. */
export function getMediaName(item: Pick<MediaItem, 'body'>): string {
  const { name } = item.body;
  if (typeof name === 'string' && name.trim() !== '') return name;
  const noun = mediaListOf(item.body.media_type)?.noun ?? 'file';
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} without a name`;
}

/** A field of the item as text; '' if there is none. */
export function getFieldText(item: Pick<MediaItem, 'body'>, key: string): string {
  const value = item.body[key];
  return typeof value === 'string' ? value.trim() : '';
}

/** The path of a file on the server. Null while the file is only on this device. */
export function getServerPath(item: Pick<MediaItem, 'body'>, key: 'path' | 'thumb_path'): string | null {
  return getFieldText(item, key) || null;
}

/** Duration in seconds; null if neither the server nor this device knows it. */
export function getDurationSeconds(item: Pick<MediaItem, 'body' | 'file'>): number | null {
  const seconds = item.body.duration ?? item.file?.duration;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : null;
}
