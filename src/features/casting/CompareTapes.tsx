import { Play, Volume2, VolumeX } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import type { Grade } from '#contract/records/tapes.ts';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { DarkDialog } from '#ui/DarkDialog.tsx';
import { Grades } from './Grades.tsx';
import { OthersMarks } from './OthersMarks.tsx';
import { getPerformer } from './performer.ts';
import { nextSpeed, seekBy, setSpeedOf, togglePlay } from './playing.ts';
import { SpeedSelect } from './SpeedSelect.tsx';
import type { Taped } from './taped.ts';
import { TapeView } from './TapeView.tsx';
import { useMark } from './use-mark.ts';
import { useTapeKeys } from './use-tape-keys.ts';

interface CompareTapesProps {
  /** To choose from, in the order in which they are watched. */
  tapes: readonly Taped[];
  first: Taped;
  second: Taped;
  title: string;
  /** Whether the person may grade tapes. */
  canRate: boolean;
  onClose: () => void;
}

/** Which of the two: the left one, or the upper one on a phone, and the other. */
type Side = 0 | 1;
const getOther = (side: Side): Side => (side === 0 ? 1 : 0);

/** Two tapes side by side, on a phone one above the other. They play together or alone, and one at a time is heard. */
export function CompareTapes({ tapes, first, second, title, canRate, onClose }: CompareTapesProps) {
  const [keys, setKeys] = useState<readonly [string, string]>([first.key, second.key]);
  const find = (key: string, instead: Taped) => tapes.find((tape) => tape.key === key) ?? instead;
  const pair = [find(keys[0], first), find(keys[1], second)] as const;
  const [heard, setHeard] = useState<Side>(0);
  const [speed, setSpeed] = useState(1);
  const [said, setSaid] = useState('');
  const videos = [useRef<HTMLVideoElement>(null), useRef<HTMLVideoElement>(null)] as const;
  const marks = [useMark(pair[0], title), useMark(pair[1], title)] as const;
  const names = [getPerformer(pair[0]).name, getPerformer(pair[1]).name] as const;

  const playBoth = () => togglePlay(videos[0].current, videos[1].current);
  const seekBoth = (seconds: number) => videos.forEach(({ current }) => seekBy(current, seconds));
  const changeSpeed = (next: number) => {
    setSpeed(next);
    setSpeedOf(next, videos[0].current, videos[1].current);
  };
  const hear = (side: Side) => {
    setHeard(side);
    setSaid(`Sound of ${names[side]}`);
  };
  const grade = (side: Side, given: Grade | null) => {
    if (!canRate) return;
    setSaid(given === null ? `${names[side]}, no grade` : `${names[side]}, ${given}`);
    void toastOnError(marks[side]({ grade: given }));
  };
  const choose = (side: Side, key: string) => setKeys(side === 0 ? [key, keys[1]] : [keys[0], key]);
  /** Puts the next tape into the place of the one that is not heard. */
  const goOn = (step: number) => {
    const side = getOther(heard);
    const others = tapes.filter(({ key }) => key !== keys[heard]);
    const next = others[others.indexOf(pair[side]) + step];
    if (next) choose(side, next.key);
  };
  useTapeKeys({
    ' ': playBoth,
    j: () => seekBoth(-5),
    l: () => seekBoth(5),
    arrowleft: () => goOn(-1),
    arrowright: () => goOn(1),
    s: () => changeSpeed(nextSpeed(speed)),
    m: () => hear(getOther(heard)),
    a: () => grade(heard, 'A'),
    b: () => grade(heard, 'B'),
    c: () => grade(heard, 'C'),
    0: () => grade(heard, null),
    2: onClose,
  });
  return (
    <DarkDialog
      label={`${names[0]} and ${names[1]}`}
      head={
        <div className="flex grow flex-wrap items-center gap-2 bg-transparent pl-2" data-theme="blackout">
          <Button icon={Play} onClick={playBoth}>
            Play or pause both
          </Button>
          <SpeedSelect value={speed} onChange={changeSpeed} />
          <p className="hidden text-sm text-muted lg:block">
            Space: both · M: the other one’s sound · {canRate && 'A B C: grade the one you hear · '}← →: change the
            other one
          </p>
        </div>
      }
      closeLabel="Close the comparison"
      onClose={onClose}
    >
      <div
        className="grid size-full auto-rows-min items-start gap-4 overflow-y-auto bg-transparent p-3 text-base-content select-text md:grid-cols-2"
        data-theme="blackout"
      >
        {([0, 1] as const).map((side) => (
          <Pane
            key={side}
            place={side === 0 ? 'First tape' : 'Second tape'}
            tapes={tapes.filter(({ key }) => key !== keys[getOther(side)])}
            shown={pair[side]}
            title={title}
            video={videos[side]}
            speed={speed}
            isHeard={heard === side}
            onChoose={(key) => choose(side, key)}
            onHear={() => hear(side)}
            onGrade={canRate ? (given) => grade(side, given) : null}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </DarkDialog>
  );
}

interface PaneProps {
  /** 'First tape' */
  place: string;
  tapes: readonly Taped[];
  shown: Taped;
  title: string;
  video: RefObject<HTMLVideoElement | null>;
  speed: number;
  isHeard: boolean;
  onChoose: (key: string) => void;
  onHear: () => void;
  /** Null: the person may only watch. */
  onGrade: ((grade: Grade | null) => void) | null;
}

function Pane({ place, tapes, shown, title, video, speed, isHeard, onChoose, onHear, onGrade }: PaneProps) {
  return (
    <section aria-label={place} className="min-w-0 space-y-2">
      <div className="flex items-center gap-2">
        <select
          className="select min-w-0 grow font-semibold"
          aria-label={place}
          value={shown.key}
          onChange={(event) => onChoose(event.target.value)}
        >
          {tapes.map((tape) => (
            <option key={tape.key} value={tape.key}>
              {getPerformer(tape).name}
              {tape.mark.grade && `, ${tape.mark.grade}`}
            </option>
          ))}
        </select>
        <button
          type="button"
          className={`btn btn-square ${isHeard ? 'btn-primary' : 'btn-line'}`}
          aria-label={`Sound of ${getPerformer(shown).name}`}
          aria-pressed={isHeard}
          onClick={onHear}
        >
          {isHeard ? <Volume2 className="ic" aria-hidden /> : <VolumeX className="ic" aria-hidden />}
        </button>
      </div>
      <TapeView
        key={shown.key}
        request={shown}
        title={title}
        video={video}
        speed={speed}
        isMuted={!isHeard}
        onUnmute={onHear}
      >
        {onGrade && (
          <div className="flex flex-wrap gap-2">
            <Grades value={shown.mark.grade} onChange={onGrade} />
          </div>
        )}
      </TapeView>
      {shown.mark.text !== '' && (
        <p className="rounded-xl bg-base-200 p-3 text-sm break-words whitespace-pre-line">{shown.mark.text}</p>
      )}
      <OthersMarks marks={shown.others} />
    </section>
  );
}
