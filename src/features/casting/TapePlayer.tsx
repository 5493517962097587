import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Grade, GRADES, TAPE_LIMITS } from '#contract/records/tapes.ts';
import { useAccount } from '#session/session.tsx';
import { TakeVideo } from '#shared/casting/TakeVideo.tsx';
import { takeText, tapeTimesText } from '#shared/casting/tape-text.ts';
import { toastOnError } from '#shared/error-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Chips } from '#ui/Chips.tsx';
import { TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useNow } from '#ui/use-now.ts';
import { getPerformer } from './performer.ts';
import type { Taped } from './taped.ts';
import { useTellWatched } from './use-tell-watched.ts';

const GRADE_WORDS: Record<Grade, string> = { A: 'Callback', B: 'Maybe', C: 'No' };
const SPEEDS = [1, 1.25, 1.5, 2];

interface TapePlayerProps {
  tapes: readonly Taped[];
  current: Taped;
  title: string;
  onClose: () => void;
}

/**
 * Plays the tapes of a role one after the other. Space plays and pauses, the arrow keys or N and P go to the next and the previous tape, A, B and C grade.
 * Grades and notes are for the side that casts alone.
 */
export function TapePlayer({ tapes, current, title, onClose }: TapePlayerProps) {
  // Kept here: going on must not fill the history with pages.
  const [shownId, setShownId] = useState(current.id);
  const shown = tapes.find(({ id }) => id === shownId) ?? current;
  const index = tapes.indexOf(shown);
  const go = (step: number) => {
    const next = tapes[index + step];
    if (next) setShownId(next.id);
  };
  return (
    <Sheet title={getPerformer(shown).name} onClose={onClose}>
      <TapeView key={shown.id} request={shown} title={title} onGo={go} />
      <div className="flex items-center justify-between">
        <IconButton label="Previous tape" icon={ChevronLeft} disabled={index <= 0} onClick={() => go(-1)} />
        <span className="num text-sm text-muted">
          {index + 1} of {tapes.length}
        </span>
        <IconButton label="Next tape" icon={ChevronRight} disabled={index >= tapes.length - 1} onClick={() => go(1)} />
      </div>
    </Sheet>
  );
}

interface TapeViewProps {
  request: Taped;
  title: string;
  onGo: (step: number) => void;
}

function TapeView({ request, title, onGo }: TapeViewProps) {
  const { engine } = useAccount();
  const now = useNow();
  const video = useRef<HTMLVideoElement>(null);
  const { tape, mark, body } = request;
  const { name } = getPerformer(request);
  const [takeIndex, setTakeIndex] = useState(0);
  const take = tape.body.takes[takeIndex];
  const [speed, setSpeed] = useState(1);
  const tellWatched = useTellWatched(tape.id, `${name}, ${title}`);
  const isSelectable = tape.body.takes.length > 1;

  const setMark = (fields: { grade?: Grade | null; text?: string }) =>
    engine.act({ type: 'tape', id: tape.id, act: 'mark', fields, title: `${name}, ${title}` });
  const grade = (given: Grade) => void toastOnError(setMark({ grade: mark.grade === given ? null : given }));
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    const player = video.current;
    const key = event.key.toLowerCase();
    const given = GRADES.find((each) => each.toLowerCase() === key);
    if (given) grade(given);
    else if (key === 'n' || key === 'arrowright') onGo(1);
    else if (key === 'p' || key === 'arrowleft') onGo(-1);
    else if (key === ' ' && player && !(event.target instanceof HTMLButtonElement)) {
      if (player.paused) player.play().catch(reportError);
      else player.pause();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    // Before the player itself, which would jump by some seconds.
    addEventListener('keydown', handleKey, { capture: true });
    return () => removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  return (
    <div className="space-y-3">
      {take?.path ? (
        <TakeVideo
          ref={video}
          key={take.id}
          tapeId={tape.serverId ?? tape.id}
          take={take}
          path={take.path}
          onLoadedMetadata={({ currentTarget }) => {
            currentTarget.playbackRate = speed;
          }}
          onTimeUpdate={({ currentTarget }) => tellWatched(currentTarget)}
        />
      ) : (
        <p className="grid aspect-video place-items-center rounded-xl bg-base-200 p-4 text-center text-muted">
          The video is on its way. It shows here by itself.
        </p>
      )}
      {isSelectable && (
        <Chips
          label="Takes"
          value={String(takeIndex)}
          onChange={(value) => setTakeIndex(Number(value))}
          options={tape.body.takes.map(({ label }, at) => ({ value: String(at), label: label ?? `Take ${at + 1}` }))}
        />
      )}
      <p className="text-sm text-muted">
        {take && `${take.name}, ${takeText(take)}. `}
        {tapeTimesText(tape, body.deadline_at, now)}.
      </p>
      {tape.body.note && <p className="break-words whitespace-pre-line">“{tape.body.note}”</p>}
      <div className="flex flex-wrap items-center gap-2">
        {GRADES.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={mark.grade === each}
            onClick={() => grade(each)}
          >
            <b>{each}</b> {GRADE_WORDS[each]}
          </button>
        ))}
        <label className="ml-auto flex items-center gap-2 text-sm">
          Speed
          <select
            className="select !w-auto"
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
      </div>
      <Note text={mark.text} onSave={(text) => toastOnError(setMark({ text }))} />
    </div>
  );
}

/** A note that is saved when its writer pauses, and at the latest when it closes. */
const PAUSE_MS = 800;

function Note({ text, onSave }: { text: string; onSave: (text: string) => Promise<void> }) {
  const [typed, setTyped] = useState(text);
  const saved = useRef(text);
  const save = useEffectEvent(() => {
    if (typed.trim() === saved.current.trim()) return;
    saved.current = typed;
    void onSave(typed.trim());
  });
  useEffect(() => {
    const timer = setTimeout(save, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => () => save(), []);
  return (
    <TextArea
      label="Note"
      hint="Only your side reads this"
      name="note"
      optional
      rows={2}
      limit={TAPE_LIMITS.markText}
      value={typed}
      onChange={setTyped}
    />
  );
}
