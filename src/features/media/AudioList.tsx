import { Pause, Play } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { formatDuration } from '#lib/dates.ts';
import { deviceWord } from '#ui/device.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { pause, play, playback, seek, stop, type PlaybackState, type Track } from './audio-player.ts';
import { MediaPreview } from './MediaPreview.tsx';
import { useCreateLocalUrl, useLocalFileUrl } from '#shared/offline-media/local-file-url.ts';
import { getServerPath, getMediaName, getDurationSeconds, getFieldText } from './media-item.ts';
import { SeekBar } from './SeekBar.tsx';
import type { ItemControls, ControlClasses, MediaLayout, MediaListProps } from './media-list-props.ts';
import { HiddenBadge } from './Tile.tsx';

const PREVIEW_COUNTS: Record<MediaLayout, number | undefined> = { card: 4, page: undefined };
const COLUMNS: Record<MediaLayout, string> = {
  card: '',
  page: 'md:grid md:grid-cols-2 md:gap-x-8 md:[&>li:nth-child(2)]:border-t-0',
};
const CONTROL_CLASSES: ControlClasses = { menu: '-mr-2.5' };

/** Recordings, each with its own controls. Only one plays at a time. */
export function AudioList({ items, layout, artist, onMove, getControls }: MediaListProps) {
  const localSource = useCreateLocalUrl();
  const now = useSyncExternalStore(playback.subscribe, playback.get);
  /** Object URLs of recordings that are not on the server yet. Their cards create them before a tap. */
  const ready = useRef(new Map<string, string>());
  const tracks = items.map((item): Track => {
    const address = getServerPath(item, 'path');
    return {
      id: item.id,
      title: getMediaName(item),
      artist,
      source: () => address ?? ready.current.get(item.id) ?? (item.file ? localSource(item.file) : null),
    };
  });
  // Playback stops when the page is left or the recording is deleted.
  const isGone = now.track !== null && !tracks.some(({ id }) => id === now.track?.id);
  useEffect(() => {
    if (isGone) stop();
  }, [isGone]);
  useEffect(() => stop, []);
  return (
    <MediaPreview
      items={items}
      previewCount={PREVIEW_COUNTS[layout]}
      className={COLUMNS[layout]}
      rowClass="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 border-t border-base-300 py-2 first:border-t-0"
      onMove={onMove}
    >
      {(item) => (
        <AudioCard
          item={item}
          now={now.track?.id === item.id ? now : null}
          onReady={(source) => {
            if (source) ready.current.set(item.id, source);
            else ready.current.delete(item.id);
          }}
          onPlay={(from) => {
            const track = tracks.find(({ id }) => id === item.id);
            if (track) play(track, tracks, from).catch(reportError);
          }}
          {...getControls?.(item, CONTROL_CLASSES)}
        />
      )}
    </MediaPreview>
  );
}

interface AudioCardProps extends ItemControls {
  item: MediaItem;
  /** Receives the object URL of a recording that is not on the server yet; null once it is revoked. */
  onReady: (source: string | null) => void;
  /** The playback state, if this recording is loaded. */
  now: PlaybackState | null;
  /** @param from seconds; continues from the last position if omitted */
  onPlay: (from?: number) => void;
}

const getPeaks = ({ body, file }: MediaItem): number[] | null =>
  Array.isArray(body.peaks) ? (body.peaks as number[]) : (file?.peaks ?? null);

function AudioCard({ item, now, onPlay, onReady, bookmark, remove, menu, mark }: AudioCardProps) {
  // Decided once: changing the source when the upload finishes would restart playback.
  const [file] = useState(() => (getServerPath(item, 'path') ? undefined : item.file));
  const localUrl = useLocalFileUrl(file);
  const notifyReady = useEffectEvent(onReady);
  useEffect(() => {
    notifyReady(localUrl ?? null);
    return () => notifyReady(null);
  }, [localUrl]);
  const name = getMediaName(item);
  const isPlaying = now?.isPlaying === true;
  const length = getDurationSeconds(item) ?? now?.length ?? 0;
  const at = Math.min(now?.at ?? 0, length);
  const facts = ['category_type', 'media_language', 'voice_age'].map((key) => getFieldText(item, key)).filter(Boolean);
  const Icon = isPlaying ? Pause : Play;
  return (
    <>
      <button
        type="button"
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
        className="btn btn-circle btn-tonal row-span-2 size-11"
        onClick={isPlaying ? pause : () => onPlay()}
      >
        <Icon className="ic fill-current" aria-hidden />
      </button>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <p className="min-w-0 grow font-semibold break-words">{name}</p>
        {item.body.is_hidden === true && <HiddenBadge />}
        {mark}
        <StatePill state={item.state} />
        <span className="num text-sm text-muted">
          {now && at > 0 && <b className="font-semibold text-base-content">{formatDuration(at)} / </b>}
          {length > 0 && formatDuration(length)}
        </span>
      </div>
      <SeekBar label={name} peaks={getPeaks(item)} at={at} length={length} onSeek={now ? seek : onPlay} />
      <div className="col-start-2 flex min-w-0 items-center gap-1">
        <p className="min-w-0 grow text-sm break-words text-muted">{facts.join(', ')}</p>
        {bookmark}
        {remove}
        {menu}
      </div>
      {now?.error && (
        <p className="col-start-2 text-sm text-needs" role="status">
          {now.error === 'unplayable' ? `This ${deviceWord()} can’t play this recording.` : 'Go online to play this.'}{' '}
          {now.error === 'unplayable' && <DownloadLink item={item} />}
        </p>
      )}
      {item.state === 'sending' && item.file && (
        <div className="col-start-2">
          <ProgressBar label={name} done={item.file.offset} of={item.file.size} />
        </div>
      )}
    </>
  );
}

function DownloadLink({ item }: { item: MediaItem }) {
  const address = getServerPath(item, 'path');
  if (!address) return null;
  return (
    <a
      href={address}
      download={getMediaName(item)}
      className="inline-flex min-h-11 items-center font-semibold underline"
    >
      Download
    </a>
  );
}
