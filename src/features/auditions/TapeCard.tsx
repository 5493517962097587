import { CheckCheck, Clapperboard, Smartphone, Video } from 'lucide-react';
import { useState } from 'react';
import type { Audition } from '#contract/records/casting.ts';
import type { Tape } from '#contract/records/tapes.ts';
import type { CastingItem } from '#db/casting.ts';
import type { LocalTakes } from '#db/takes.ts';
import { momentText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { LocalTakesPill } from '#shared/casting/LocalTakesPill.tsx';
import { Refused } from '#shared/casting/Refused.tsx';
import { TakeVideo } from '#shared/casting/TakeVideo.tsx';
import { TapeCv } from '#shared/casting/TapeCv.tsx';
import { getFinished, lateText, takeText } from '#shared/casting/tape-text.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { StatePill } from '#ui/StatePill.tsx';

const WORDS = {
  announced: 'On its way',
  arrived: 'Arrived',
  refused: 'Not accepted',
  replaced: 'Replaced by a newer one',
} as const;

interface TapeCardProps {
  audition: Audition;
  /** Newest first. */
  tapes: readonly CastingItem<'tape'>[];
  now: number;
  /** Whether a tape can be sent, or replaced. */
  isOpen: boolean;
  /** What was recorded for it here and is not part of a tape that was sent. */
  localTakes: LocalTakes | undefined;
  onRecord: () => void;
}

/** What the performer sent, and when it counts. */
export function TapeCard({ audition, tapes, now, isOpen, localTakes, onRecord }: TapeCardProps) {
  const [tape, ...older] = tapes;
  if (tape === undefined) {
    if (!isOpen) return null;
    return (
      <Card title="Your tape" state={localTakes && <LocalTakesPill takes={localTakes} />}>
        <p className="text-muted">
          What counts is when it is finished on this {deviceWord()}, not when it arrives. You can do all of it without
          signal.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button icon={Video} onClick={onRecord}>
            Send a tape
          </Button>
          <ButtonLink look="tonal" icon={Clapperboard} to={`/booth?audition=${audition.id}`}>
            Record in the booth
          </ButtonLink>
        </div>
      </Card>
    );
  }
  const finished = getFinished(tape);
  const late = lateText(finished, audition.deadline_at);
  const { state, note, reason } = tape.body;
  const isMine = tape.state !== 'saved';
  const isRefused = state === 'refused';
  return (
    <Card
      title={isRefused ? 'Your tape' : late === '' ? 'Finished in time' : `Finished ${late}`}
      state={
        isMine ? (
          <StatePill state={tape.state} />
        ) : (
          <span className={`state ${isRefused ? 'state-needs' : 'state-saved'}`}>{WORDS[state]}</span>
        )
      }
    >
      {!isRefused && <Times tape={tape} sender={audition.casting.name} now={now} />}
      <Refused item={tape} />
      {reason && <p className="mt-2 text-sm break-words text-needs">{reason}</p>}
      <ul className="mt-2">
        {tape.body.takes.map((take, index) => (
          <TakeRow key={take.id || index} tapeId={tape.serverId ?? tape.id} take={take} />
        ))}
      </ul>
      {tape.body.cv && <TapeCv cv={tape.body.cv} />}
      {note && <p className="mt-1 text-sm break-words whitespace-pre-line">“{note}”</p>}
      {tape.body.no_links && <p className="mt-1 text-sm text-muted">Not shared by link</p>}
      {audition.watched_at !== null && (
        <p className="mt-2 text-sm font-semibold">Watched {momentText(Date.parse(audition.watched_at), now)}</p>
      )}
      {older.length > 0 && <p className="mt-2 text-sm text-muted">{count(older.length, 'earlier tape')}</p>}
      {isOpen && (
        <Button look="tonal" icon={Video} className="mt-3" onClick={onRecord}>
          {isRefused || now > Date.parse(audition.deadline_at) ? 'Send another tape' : 'Send a better one'}
        </Button>
      )}
    </Card>
  );
}

interface TimesProps {
  tape: CastingItem<'tape'>;
  sender: string;
  now: number;
}

/** When the tape was finished, and when it arrived. */
function Times({ tape, sender, now }: TimesProps) {
  const { arrived_at: arrived, finished_by: by } = tape.body;
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <div className="rounded-xl bg-phone-tint p-3 text-phone">
          <p className="flex items-center gap-1.5 text-xs font-semibold">
            <Smartphone className="ic" aria-hidden /> Finished
          </p>
          <p className="num mt-1 text-lg leading-tight font-bold">{momentText(getFinished(tape), now)}</p>
          <p className="text-xs font-medium">{by === 'phone clock' ? 'by your device’s clock' : 'on your device'}</p>
        </div>
        <div className="rounded-xl bg-saved-tint p-3 text-saved">
          <p className="flex items-center gap-1.5 text-xs font-semibold">
            <CheckCheck className="ic" aria-hidden /> Arrived
          </p>
          <p className="num mt-1 text-lg leading-tight font-bold">
            {arrived === null ? 'Not yet' : momentText(Date.parse(arrived), now)}
          </p>
          <p className="text-xs font-medium">{arrived === null ? 'It sends by itself' : `with ${sender}`}</p>
        </div>
      </div>
      <p className="mt-2 text-xs text-muted">{sender} sees the same two times.</p>
    </>
  );
}

/** A take of a tape; one that has arrived can be watched in its place. Until then it has no id and no path. */
function TakeRow({ tapeId, take }: { tapeId: string; take: Tape['takes'][number] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="border-t border-base-300 py-2.5">
      <div className="flex items-center gap-3">
        <Video className="ic text-muted" aria-hidden />
        <span className="min-w-0 grow">
          <b className="block font-semibold break-words">{take.name}</b>
          <span className="num text-sm text-muted">{takeText(take)}</span>
        </span>
        {take.path && (
          <Button look="tonal" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Close' : 'Watch'}
          </Button>
        )}
      </div>
      {isOpen && take.path && (
        <div className="mt-2.5">
          <TakeVideo tapeId={tapeId} take={take} path={take.path} />
        </div>
      )}
    </li>
  );
}
