import { Maximize, Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { WatchedLink } from '#contract/records/links.ts';
import { lengthText } from '#shared/casting/tape-text.ts';
import { VideoNotLoaded } from '#shared/casting/VideoNotLoaded.tsx';
import { IconButton } from '#ui/Button.tsx';
import { useNow } from '#ui/use-now.ts';
import { useReportViewing } from './use-report-viewing.ts';
import type { Watching } from './use-watched-link.ts';
import { Watermark } from './Watermark.tsx';

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];
const STEP_SECONDS = 5;
/** Who watches so much beyond a failure, or goes so far from it, has left it behind. */
const PAST_FAILURE_SECONDS = 1;

interface WatchPlayerProps {
  take: WatchedLink['tapes'][number]['takes'][number];
  /** Who taped, and which take: 'Tenzin Dolma, Take 2'. */
  title: string;
  watermark: string;
  /** The person chose it, so it plays at once. */
  isStarted: boolean;
  watching: Watching;
  onPlay: () => void;
  onGo: (step: number) => void;
  onWatched: () => void;
}

/**
 * Plays one take under the watermark. It has controls of its own: those of the browser offer to save the video, and their full screen leaves the
 * watermark out. Space plays and pauses, the arrow keys jump, N and P go to the next and the previous take, F fills the screen.
 */
export function WatchPlayer({
  take,
  title,
  watermark,
  isStarted,
  watching,
  onPlay,
  onGo,
  onWatched,
}: WatchPlayerProps) {
  const box = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const now = useNow();
  // Kept while it plays: another address would begin from the start.
  const [source, setSource] = useState(take.url);
  const [attempt, setAttempt] = useState(0);
  /** The last position that was seen, where it goes on when it is loaded again. */
  const seenAt = useRef(0);
  /** Where it failed, if a new address was asked for and it has not played on since: what asks each time it fails would ask for ever. */
  const failedAt = useRef<number | null>(null);
  const [time, setTime] = useState(0);
  const [duration, setDuration] = useState(take.duration ?? 0);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [hasFailed, setHasFailed] = useState(false);
  const reportStep = useReportViewing((seconds) => {
    watching.tellViewed(take.id, seconds);
    onWatched();
  });
  const { setPlaying } = watching;
  useEffect(() => {
    setPlaying(isPlaying && !hasFailed);
    return () => setPlaying(false);
  }, [isPlaying, hasFailed, setPlaying]);

  const togglePlay = () => {
    const player = video.current;
    if (player === null) return;
    // A browser may refuse to play without a tap. The button stays, so the person plays it.
    if (player.paused) player.play().catch(() => setIsPlaying(false));
    else player.pause();
  };
  const seek = (to: number) => {
    if (video.current) video.current.currentTime = Math.min(Math.max(0, to), duration);
  };
  const fillScreen = () => {
    const leaving = document.fullscreenElement ? document.exitFullscreen() : box.current?.requestFullscreen();
    leaving?.catch(reportError);
  };
  const renew = () => {
    failedAt.current = seenAt.current;
    return watching.renew(take.id);
  };
  /** An address ends after an hour, and all of them end with the link. Asked for anew, it goes on where it was. */
  const handleError = async () => {
    if (failedAt.current !== null) return setHasFailed(true);
    const url = await renew();
    if (url === null || url === source) setHasFailed(true);
    else setSource(url);
  };
  const retry = async () => {
    setHasFailed(false);
    const url = await renew();
    if (url !== null) setSource(url);
    setAttempt((count) => count + 1);
  };
  const handleTime = (player: HTMLVideoElement) => {
    setTime(player.currentTime);
    reportStep(player);
    // A video that is being loaded stands at its beginning for a moment.
    if (player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || player.seeking) return;
    seenAt.current = player.currentTime;
    if (failedAt.current === null) return;
    if (Math.abs(player.currentTime - failedAt.current) > PAST_FAILURE_SECONDS) failedAt.current = null;
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isField || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === ' ' && !(target instanceof HTMLButtonElement)) togglePlay();
    else if (key === 'arrowright') seek(time + STEP_SECONDS);
    else if (key === 'arrowleft') seek(time - STEP_SECONDS);
    else if (key === 'n') onGo(1);
    else if (key === 'p') onGo(-1);
    else if (key === 'f') fillScreen();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);

  return (
    <div
      ref={box}
      className="group relative -mx-3 flex flex-col overflow-hidden bg-black text-white md:mx-0 md:rounded-[18px]"
      role="group"
      aria-label={title}
    >
      <div className="relative min-h-0 grow">
        <video
          key={attempt}
          ref={video}
          src={source}
          poster={take.poster_url ?? undefined}
          playsInline
          autoPlay={isStarted}
          preload="metadata"
          disablePictureInPicture
          disableRemotePlayback
          aria-label={title}
          className="aspect-video size-full max-h-dvh object-contain"
          onClick={togglePlay}
          onContextMenu={(event) => event.preventDefault()}
          onLoadedMetadata={({ currentTarget }) => {
            currentTarget.playbackRate = speed;
            if (seenAt.current > 0) currentTarget.currentTime = seenAt.current;
            if (Number.isFinite(currentTarget.duration)) setDuration(currentTarget.duration);
            // It failed while it played.
            if (isPlaying) currentTarget.play().catch(() => setIsPlaying(false));
          }}
          onTimeUpdate={({ currentTarget }) => handleTime(currentTarget)}
          onPlay={() => {
            setIsPlaying(true);
            onPlay();
          }}
          onPause={() => setIsPlaying(false)}
          onEnded={() => setIsPlaying(false)}
          onError={() => void handleError()}
        />
        <Watermark text={watermark} now={now} />
        {!isPlaying && !hasFailed && (
          <button
            type="button"
            className="over absolute inset-0 m-auto grid size-16 cursor-pointer place-items-center rounded-full"
            aria-label={`Play the tape by ${title}`}
            onClick={togglePlay}
          >
            <Play className="ic ml-0.5 size-7 fill-current" aria-hidden />
          </button>
        )}
        {hasFailed && (
          <VideoNotLoaded
            role="alert"
            className="absolute inset-0 grid place-content-center justify-items-center gap-3 bg-black/80 p-4 text-center"
            onRetry={() => void retry()}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-1 px-1 md:px-2">
        <IconButton label={isPlaying ? 'Pause' : 'Play'} icon={isPlaying ? Pause : Play} onClick={togglePlay} />
        <IconButton label="Previous take" icon={SkipBack} onClick={() => onGo(-1)} />
        <IconButton label="Next take" icon={SkipForward} onClick={() => onGo(1)} />
        <span className="num px-1 text-sm whitespace-nowrap">
          {lengthText(time)} / {lengthText(duration)}
        </span>
        <span className="ml-auto flex items-center gap-1">
          <label className="flex items-center gap-2 text-sm">
            <span className="sr-only">Speed</span>
            <select
              className="select !w-auto !bg-black !text-white"
              value={speed}
              onChange={(event) => {
                const next = Number(event.target.value);
                setSpeed(next);
                if (video.current) video.current.playbackRate = next;
              }}
            >
              {SPEEDS.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
          </label>
          {document.fullscreenEnabled && <IconButton label="Fill the screen" icon={Maximize} onClick={fillScreen} />}
        </span>
        <input
          type="range"
          className="range range-xs order-first mx-2 mt-2 w-full basis-full"
          aria-label="Position"
          aria-valuetext={`${lengthText(time)} of ${lengthText(duration)}`}
          min={0}
          max={Math.max(duration, 0.1)}
          step={0.1}
          value={Math.min(time, duration)}
          onChange={(event) => seek(Number(event.target.value))}
        />
      </div>
    </div>
  );
}
