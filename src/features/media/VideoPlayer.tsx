import { Download, FileVideo } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { deviceWord } from '#ui/device.ts';
import { useLocalFileUrl } from '#shared/offline-media/local-file-url.ts';
import { getServerPath, getMediaName, getFieldText } from './media-item.ts';
import { hasNoPicture, type PlaybackError, getPlaybackError } from '#shared/offline-media/playback-error.ts';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** A video with poster and native controls. A video that this browser cannot play offers a download instead. */
export function VideoPlayer({ video }: { video: MediaItem }) {
  const element = useRef<HTMLVideoElement>(null);
  const address = getServerPath(video, 'path');
  // Decided once: changing the source when the upload finishes would restart playback.
  const [file] = useState(() => (address ? undefined : video.file));
  const localUrl = useLocalFileUrl(file);
  const [error, setError] = useState<PlaybackError | null>(null);
  useEffect(() => {
    const retry = () => setError((before) => (before === 'away' ? null : before));
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, []);
  const source = localUrl ?? address;
  const checkPlayer = (player: HTMLVideoElement) => {
    if (player.error) {
      if (source !== null) getPlaybackError(source).then(setError).catch(reportError);
    } else if (player.readyState > 0 && hasNoPicture(player)) {
      // Without a decoder for the picture, some browsers play only the sound.
      setError('unplayable');
    }
  };
  // The player may load before React attaches its event handlers, so its state is checked after mounting.
  const checkAfterMount = useEffectEvent(() => {
    if (element.current) checkPlayer(element.current);
  });
  useEffect(() => checkAfterMount(), [source]);
  // A player without a source would ignore a tap on Play, so it renders only once the local file is read.
  if (file && localUrl === undefined) return null;
  if (source === null || error) return <PlaybackErrorNotice video={video} source={source} error={error ?? 'away'} />;
  return (
    <div className="flex size-full flex-col items-center justify-center gap-1">
      <video
        ref={element}
        src={source}
        poster={getServerPath(video, 'thumb_path') ?? undefined}
        controls
        playsInline
        preload="metadata"
        aria-label={getMediaName(video)}
        className="min-h-0 w-full max-w-full grow bg-black object-contain"
        onLoadedMetadata={({ currentTarget }) => checkPlayer(currentTarget)}
        onError={({ currentTarget }) => checkPlayer(currentTarget)}
      />
      <label className="flex items-center gap-2 text-sm">
        Speed
        <select
          className="min-h-11 rounded-field border border-white/40 bg-black px-2 text-white"
          defaultValue="1"
          onChange={(event) => {
            if (element.current) element.current.playbackRate = Number(event.target.value);
          }}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface PlaybackErrorNoticeProps {
  video: MediaItem;
  source: string | null;
  error: PlaybackError;
}

function PlaybackErrorNotice({ video, source, error }: PlaybackErrorNoticeProps) {
  const isSent = getServerPath(video, 'path') !== null;
  return (
    <div className="grid justify-items-center gap-3 px-6 text-center" role="status">
      <FileVideo className="size-12" strokeWidth={1.5} aria-hidden />
      {error === 'unplayable' ? (
        <>
          <p>This {deviceWord()} can’t play this video.</p>
          {source && (
            <a
              href={source}
              download={getFieldText(video, 'name') || 'video'}
              className="btn border-white/40 bg-black text-white"
            >
              <Download className="ic" aria-hidden />
              Download
            </a>
          )}
        </>
      ) : (
        <p>{isSent ? 'Go online to play this.' : 'This video is on its way. It will play here soon.'}</p>
      )}
    </div>
  );
}
