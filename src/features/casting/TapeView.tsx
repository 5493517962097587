import { useState, type ReactNode, type RefObject } from 'react';
import { TakeVideo } from '#shared/casting/TakeVideo.tsx';
import { TapeCv } from '#shared/casting/TapeCv.tsx';
import { takeText, tapeTimesText } from '#shared/casting/tape-text.ts';
import { Chips } from '#ui/Chips.tsx';
import { useNow } from '#ui/use-now.ts';
import { getPerformer } from './performer.ts';
import type { Taped } from './taped.ts';
import { setSpeedOf } from './playing.ts';
import { useTellWatched } from './use-tell-watched.ts';

interface TapeViewProps {
  request: Taped;
  /** 'Naseem, The Salt Road' */
  title: string;
  video: RefObject<HTMLVideoElement | null>;
  speed: number;
  isMuted?: boolean;
  /** Called when the person turns the sound of the video itself on. */
  onUnmute?: () => void;
  /** Stands below the video. */
  children?: ReactNode;
}

/** The takes of a tape, one at a time, and what their performer says. */
export function TapeView({ request, title, video, speed, isMuted = false, onUnmute, children }: TapeViewProps) {
  const now = useNow();
  const { tape, body } = request;
  const { takes, cv, note } = tape.body;
  const [index, setIndex] = useState(0);
  const take = takes[index];
  const tellWatched = useTellWatched(tape.id, `${getPerformer(request).name}, ${title}`);
  return (
    <>
      {take?.path ? (
        <TakeVideo
          ref={video}
          key={take.id}
          tapeId={tape.serverId ?? tape.id}
          take={take}
          path={take.path}
          muted={isMuted}
          onLoadedMetadata={({ currentTarget }) => {
            setSpeedOf(speed, currentTarget);
          }}
          onTimeUpdate={({ currentTarget }) => tellWatched(currentTarget)}
          onVolumeChange={({ currentTarget }) => {
            if (isMuted && !currentTarget.muted) onUnmute?.();
          }}
        />
      ) : (
        <p className="grid aspect-video place-items-center rounded-xl bg-base-200 p-4 text-center text-muted">
          {tape.body.state === 'refused'
            ? `This tape could not be used. ${getPerformer(request).name} can send another one.`
            : 'The video is on its way. It shows here by itself.'}
        </p>
      )}
      {children}
      {takes.length > 1 && (
        <Chips
          label="Takes"
          value={String(index)}
          onChange={(value) => setIndex(Number(value))}
          options={takes.map(({ label }, at) => ({ value: String(at), label: label ?? `Take ${at + 1}` }))}
        />
      )}
      <p className="text-sm break-words text-muted">
        {take && `${take.name}, ${takeText(take)}. `}
        {tapeTimesText(tape, body.deadline_at, now)}.
      </p>
      {cv && <TapeCv cv={cv} />}
      {note && <p className="break-words whitespace-pre-line">“{note}”</p>}
    </>
  );
}
