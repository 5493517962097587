import { ChevronLeft, ChevronRight, Columns2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Grade } from '#contract/records/tapes.ts';
import { toastOnError } from '#shared/error-text.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Pane } from '#ui/Pane.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Grades } from './Grades.tsx';
import { KeyList } from './KeyList.tsx';
import { OthersMarks } from './OthersMarks.tsx';
import { getPerformer } from './performer.ts';
import { SpeedSelect } from './SpeedSelect.tsx';
import { nextSpeed, seekBy, togglePlay, setSpeedOf } from './playing.ts';
import { focusNote, TapeNote } from './TapeNote.tsx';
import { TapeView } from './TapeView.tsx';
import type { Taped } from './taped.ts';
import { useMark } from './use-mark.ts';
import { useTapeKeys } from './use-tape-keys.ts';

const WATCHING_KEYS = [
  ['Space', 'Play or pause'],
  ['J L', '5 seconds back or on'],
  ['← →', 'Previous or next tape'],
  ['S', 'Faster'],
  ['2', 'Two side by side'],
  ['Enter', 'Full screen'],
] as const;

const RATING_KEYS = [
  ['A B C', 'Grade and go on'],
  ['0', 'Remove the grade'],
  ['N', 'Write a note'],
  ['Esc', 'Leave the note'],
] as const;

interface TapePlayerProps {
  /** In the order in which they are watched. */
  tapes: readonly Taped[];
  /** Of the one that is shown. */
  index: number;
  title: string;
  /** Whether the person may grade tapes and write notes. */
  canRate: boolean;
  onGo: (step: number) => void;
  /** Absent where there is nothing to compare with. */
  onCompare?: () => void;
  /** Whether it stands beside the page instead of lying over it. */
  isBeside: boolean;
  onClose: () => void;
}

/** Plays one of the tapes of a role. Grades and notes are for the side that casts alone. */
export function TapePlayer(props: TapePlayerProps) {
  const { tapes, index, title, canRate, isBeside, onGo, onCompare, onClose } = props;
  const request = tapes[index]!;
  const mark = useMark(request, title);
  const video = useRef<HTMLVideoElement>(null);
  const notes = useRef<HTMLDivElement>(null);
  const [speed, setSpeed] = useState(1);
  const [said, setSaid] = useState('');
  const [hasKeyList, setHasKeyList] = useState(false);
  const { name } = getPerformer(request);

  const grade = (given: Grade | null) => {
    setSaid(given === null ? `${name}, no grade` : `${name}, ${given}`);
    void toastOnError(mark({ grade: given }));
  };
  const gradeAndGo = (given: Grade) => {
    grade(given);
    onGo(1);
  };
  const changeSpeed = (next: number) => {
    setSpeed(next);
    setSpeedOf(next, video.current);
  };
  const onKeys = {
    ' ': () => togglePlay(video.current),
    j: () => seekBy(video.current, -5),
    l: () => seekBy(video.current, 5),
    arrowleft: () => onGo(-1),
    arrowright: () => onGo(1),
    s: () => changeSpeed(nextSpeed(speed)),
    ...(canRate && {
      a: () => gradeAndGo('A'),
      b: () => gradeAndGo('B'),
      c: () => gradeAndGo('C'),
      0: () => grade(null),
      n: () => focusNote(notes),
    }),
    2: () => onCompare?.(),
    enter: () => void video.current?.requestFullscreen().catch(reportError),
    '?': () => setHasKeyList(!hasKeyList),
  };
  const keys = useTapeKeys(onKeys, isBeside);
  const grades = canRate ? <Grades value={request.mark.grade} onChange={grade} /> : undefined;
  const inside = (
    <>
      <TapeView key={request.key} request={request} title={title} video={video} speed={speed}>
        <div className="flex flex-wrap items-center gap-x-2">
          <IconButton label="Previous tape" icon={ChevronLeft} disabled={index <= 0} onClick={() => onGo(-1)} />
          <span className="num text-sm text-muted">
            {index + 1} of {tapes.length}
          </span>
          <IconButton
            label="Next tape"
            icon={ChevronRight}
            disabled={index >= tapes.length - 1}
            onClick={() => onGo(1)}
          />
          <span className="grow" />
          <SpeedSelect value={speed} onChange={changeSpeed} />
          {onCompare && (
            <Button look="line" icon={Columns2} onClick={onCompare}>
              <span className="max-sm:sr-only">Two at once</span>
            </Button>
          )}
        </div>
        {isBeside && <div className="flex gap-2 empty:hidden [&>.btn]:flex-1">{grades}</div>}
      </TapeView>
      {canRate && (
        <div ref={notes}>
          <TapeNote
            key={request.key}
            tapeId={request.tape.id}
            text={request.mark.text}
            onSave={(text) => mark({ text })}
          />
        </div>
      )}
      <OthersMarks marks={request.others} />
      <KeyList
        keys={canRate ? [...WATCHING_KEYS, ...RATING_KEYS] : WATCHING_KEYS}
        isOpen={hasKeyList}
        onToggle={setHasKeyList}
        isOn={keys.isOn}
        setOn={keys.setOn}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
  return isBeside ? (
    <Pane title={name} subject={request.key} onClose={onClose}>
      {inside}
    </Pane>
  ) : (
    <Sheet title={name} foot={grades} onClose={onClose}>
      {inside}
    </Sheet>
  );
}
