import { Download, FileVideo } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { deviceWord } from '#ui/device.ts';
import { useLocalFileUrl } from '#shared/offline-media/local-file-url.ts';
import { getServerPath, getMediaName, getFieldText } from './media-item.ts';
import { hasNoPicture, type PlaybackError, getPlaybackError } from './playback-error.ts';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** A video with its poster and the browser's own controls; what cannot be played here says so and can be downloaded. */
export function VideoStage({ video }: { video: MediaItem }) {
  const element = useRef<HTMLVideoElement>(null);
  const address = getServerPath(video, 'path');
  // Settled once: a film that reaches the server while it plays would start over from there.
  const [file] = useState(() => (address ? undefined : video.file));
  const own = useLocalFileUrl(file);
  const [met, setTrouble] = useState<PlaybackError | null>(null);
  useEffect(() => {
    const retry = () => setTrouble((before) => (before === 'away' ? null : before));
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, []);
  const source = own ?? address;
  const look = (player: HTMLVideoElement) => {
    if (player.error) {
      if (source !== null) getPlaybackError(source).then(setTrouble).catch(reportError);
    } else if (player.readyState > 0 && hasNoPicture(player)) {
      // Without a decoder for the picture some browsers play the sound alone, on black.
      setTrouble('unplayable');
    }
  };
  // React makes the player before it shows it, and drops what a fast browser says in between.
  const lookAtOnce = useEffectEvent(() => {
    if (element.current) look(element.current);
  });
  useEffect(() => lookAtOnce(), [source]);
  // A player without a film would take a tap on Play and drop it: it comes with its film, some milliseconds later.
  if (file && own === undefined) return null;
  if (source === null || met) return <PlaybackError video={video} source={source} trouble={met ?? 'away'} />;
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
        onLoadedMetadata={({ currentTarget }) => look(currentTarget)}
        onError={({ currentTarget }) => look(currentTarget)}
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

interface UnplayedProps {
  video: MediaItem;
  source: string | null;
  trouble: PlaybackError;
}

function PlaybackError({ video, source, trouble }: UnplayedProps) {
  const isSent = getServerPath(video, 'path') !== null;
  return (
    <div className="grid justify-items-center gap-3 px-6 text-center" role="status">
      <FileVideo className="size-12" strokeWidth={1.5} aria-hidden />
      {trouble === 'unplayable' ? (
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
