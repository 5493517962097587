import { Download } from 'lucide-react';
import { useEffect, useState, type ComponentProps } from 'react';
import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import type { Tape, TapeLinks } from '#contract/records/tapes.ts';
import { call } from '#net/client.ts';
import { canLoad, type PlaybackError, getPlaybackError } from '#shared/offline-media/playback-error.ts';
import { isControlledByWorker } from '#shared/offline-media/worker.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { deviceWord } from '#ui/device.ts';
import { VideoNotLoaded } from './VideoNotLoaded.tsx';

type VideoProps = 'ref' | 'muted' | 'onLoadedMetadata' | 'onTimeUpdate' | 'onVolumeChange';

interface TakeVideoProps extends Pick<ComponentProps<'video'>, VideoProps> {
  /** The server's id of its tape. */
  tapeId: string;
  take: Pick<Tape['takes'][number], 'id' | 'name' | 'poster_path'>;
  /** The address of the take, which needs authentication. */
  path: string;
}

const BOX =
  'grid aspect-video w-full place-content-center justify-items-center gap-3 rounded-xl bg-base-200 p-4 text-center text-muted';

/**
 * A take that has arrived. A `<video>` sends no token, so the service worker adds it. Without a worker, the take is played by a link that works for an hour.
 * What cannot be loaded says so, and is tried again at a tap or when the device is online again.
 */
export function TakeVideo({ tapeId, take, path, ...player }: TakeVideoProps) {
  // Decided once: a worker that starts later must not restart the video.
  const [needsLink] = useState(() => !isControlledByWorker());
  const [attempt, setAttempt] = useState(0);
  const [link, setLink] = useState<string | null>(null);
  const [error, setError] = useState<PlaybackError | null>(null);
  const source = needsLink ? link : path;
  // Offline, only a take that is kept on this device gets a player: one that waits for the network draws without end.
  const isOnline = useOnline();
  const [mayLoad, setMayLoad] = useState(isOnline);
  if (isOnline && !mayLoad) setMayLoad(true);

  useEffect(() => {
    if (!needsLink) return;
    let isGone = false;
    void call<TapeLinks>(AUDITION_CALLS.tapeLinks, { params: { id: tapeId } }).then((answer) => {
      if (isGone) return;
      const found = answer.ok ? answer.data.takes.find(({ id }) => id === take.id) : undefined;
      if (found) setLink(found.url);
      else setError('away');
    });
    return () => {
      isGone = true;
    };
  }, [needsLink, tapeId, take.id, attempt]);

  useEffect(() => {
    if (mayLoad || source === null) return;
    let isGone = false;
    canLoad(source)
      .then((isLoaded) => {
        if (isGone) return;
        if (isLoaded) setMayLoad(true);
        else setError('away');
      })
      .catch(reportError);
    return () => {
      isGone = true;
    };
  }, [mayLoad, source, attempt]);

  const retry = () => {
    setError(null);
    setLink(null);
    setAttempt((count) => count + 1);
  };
  const handleError = () => {
    if (source !== null) getPlaybackError(source).then(setError).catch(reportError);
  };
  if (error === 'unplayable') {
    return (
      <div className={BOX} role="status">
        <p>This {deviceWord()} can’t play this video.</p>
        {source !== null && (
          <a href={source} download={take.name} className="btn btn-tonal">
            <Download className="ic" aria-hidden /> Download
          </a>
        )}
      </div>
    );
  }
  if (error === 'away') return <VideoNotLoaded role="status" className={BOX} onRetry={retry} />;
  if (source === null || !mayLoad) {
    return (
      <p className={BOX} role="status">
        Loading the video…
      </p>
    );
  }
  return (
    <video
      key={attempt}
      src={source}
      poster={needsLink ? undefined : (take.poster_path ?? undefined)}
      controls
      playsInline
      preload="metadata"
      aria-label={take.name}
      className="aspect-video w-full rounded-xl bg-black object-contain"
      onError={handleError}
      {...player}
    />
  );
}
