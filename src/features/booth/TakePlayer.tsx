import { useRef, useState } from 'react';
import type { Take } from '#db/rows.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { readRecording } from '#shared/takes/take-storage.ts';
import { deviceWord } from '#ui/device.ts';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { Stars } from './Stars.tsx';
import { TrimBar } from './TrimBar.tsx';

/** Plays a take, gives it stars and trims it. */
export function TakePlayer({ take }: { take: Take }) {
  const { db } = useAccount();
  const url = useObjectUrl(take.id, () => readRecording(db, take));
  const video = useRef<HTMLVideoElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  const update = (change: Partial<Take>) => void toastOnError(db.takes.update(take.id, change));
  const { range } = take;
  if (url === null || isBroken) {
    return (
      <p role="status" className="rounded-box bg-base-200 p-6 text-center">
        {url === null
          ? `The video of this take is not on this ${deviceWord()} any more. The browser may have removed it.`
          : `This ${deviceWord()} can’t play this take. Save it as a file and open it elsewhere.`}
      </p>
    );
  }
  if (url === undefined) return <div className="aspect-video w-full rounded-box bg-base-300" />;
  return (
    <div className="space-y-3">
      <video
        ref={video}
        src={url}
        controls
        playsInline
        preload="auto"
        aria-label={take.name}
        className="aspect-video w-full rounded-box bg-black object-contain"
        onError={() => setIsBroken(true)}
        onPlay={({ currentTarget }) => {
          const isOutside = range && (currentTarget.currentTime < range.from || currentTarget.currentTime >= range.to);
          if (isOutside) currentTarget.currentTime = range.from;
        }}
        onTimeUpdate={({ currentTarget }) => {
          if (range && !currentTarget.paused && currentTarget.currentTime >= range.to) currentTarget.pause();
        }}
      />
      <Stars takeName={take.name} stars={take.stars} onChange={(stars) => update({ stars })} />
      <TrimBar
        take={take}
        url={url}
        onChange={(next) => update({ range: next })}
        onSeek={(seconds) => {
          if (!video.current) return;
          video.current.pause();
          video.current.currentTime = seconds;
        }}
      />
    </div>
  );
}
