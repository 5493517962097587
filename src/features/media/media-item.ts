import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import { mediaListOf } from '#contract/media-types.ts';
import type { MediaItem } from '#db/queries.ts';

/** The tab an item stands under; none for a kind that this version does not know. */
export function getTab(item: Pick<MediaItem, 'body'>): MediaTab | undefined {
  const kind = mediaListOf(item.body.media_type)?.kind;
  return MEDIA_TABS.find(({ key }) => key === kind);
}

/** What an item is called, for people and readers. */
export function getMediaName(item: Pick<MediaItem, 'body'>): string {
  const { name } = item.body;
  if (typeof name === 'string' && name.trim() !== '') return name;
  const noun = mediaListOf(item.body.media_type)?.noun ?? 'file';
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} without a name`;
}

/** A field of the item as text; '' where there is none. */
export function getFieldText(item: Pick<MediaItem, 'body'>, key: string): string {
  const value = item.body[key];
  return typeof value === 'string' ? value.trim() : '';
}

/** Where the server keeps what this names: `path`, `thumb_path`. Null while only this device has it. */
export function getServerPath(item: Pick<MediaItem, 'body'>, key: 'path' | 'thumb_path'): string | null {
  return getFieldText(item, key) || null;
}

/** Seconds; null where neither the server nor this device could tell. */
export function getDurationSeconds(item: Pick<MediaItem, 'body' | 'file'>): number | null {
  const told = item.body.duration ?? item.file?.duration;
  return typeof told === 'number' && Number.isFinite(told) ? told : null;
}

/** '2:14', '1:02:03'. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
