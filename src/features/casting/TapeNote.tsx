import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { TextArea } from '#ui/Field.tsx';

/** A note is saved when its writer pauses, and at the latest when it closes. */
const PAUSE_MS = 800;

interface TapeNoteProps {
  text: string;
  onSave: (text: string) => Promise<void>;
}

/** What the person thinks of a tape, in words. */
export function TapeNote({ text, onSave }: TapeNoteProps) {
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

/** Puts the cursor into the note inside an element. */
export function focusNote(inside: RefObject<HTMLElement | null>): void {
  inside.current?.querySelector<HTMLTextAreaElement>('textarea[name="note"]')?.focus();
}
