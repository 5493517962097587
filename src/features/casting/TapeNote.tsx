import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { toastOnError } from '#shared/error-text.ts';
import { type Draft, useDraft } from '#shared/forms/use-draft.ts';
import { TextArea } from '#ui/Field.tsx';

/** A note is saved when its writer pauses, and at the latest when it closes. */
const PAUSE_MS = 800;

interface TapeNoteProps {
  tapeId: string;
  /** What is stored. */
  text: string;
  /** Queues the note. */
  onSave: (text: string) => Promise<unknown>;
}

/** What somebody typed over a note before the page ended; undefined if that is no other than what they saw. */
const readTyped = (draft: Draft['kept']): string | undefined =>
  typeof draft?.text === 'string' && draft.text !== draft.seen ? draft.text : undefined;

/** What the person thinks of a tape, in words. */
export function TapeNote({ tapeId, text, onSave }: TapeNoteProps) {
  const draft = useDraft(`note:${tapeId}`);
  const [typed, setTyped] = useState<string>();
  // When the note opened: a pull in the meantime must not turn what nobody touched into an edit.
  const [stored] = useState(text);
  const restored = readTyped(draft.kept);
  const note = typed ?? restored ?? stored;
  const saved = useRef(stored);
  /** What was typed and is not queued yet. */
  const latest = useRef<string>(undefined);
  /** The last save. They run one after the other, so that none drops the draft of one that may still fail. */
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const handleChange = (changed: string) => {
    setTyped(changed);
    latest.current = changed;
    draft.keep({ text: changed, seen: saved.current });
  };
  const queue = async (changed: string) => {
    if (changed.trim() !== saved.current.trim()) await onSave(changed.trim());
    saved.current = changed;
    // Something else was typed since, and has a draft of its own.
    if (latest.current !== undefined && latest.current !== changed) return;
    latest.current = undefined;
    await draft.drop();
  };
  const save = useEffectEvent(() => {
    // A text that was kept over another note than the one that is stored now is shown, but replaces that one only by a touch.
    const isCurrent = draft.kept?.seen === stored || restored?.trim() === stored.trim();
    if (latest.current === undefined && (restored === undefined || !isCurrent)) return;
    saving.current = saving.current.then(() => toastOnError(queue(note)));
  });
  useEffect(() => {
    const timer = setTimeout(save, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [note]);
  useEffect(() => () => save(), []);
  return (
    <TextArea
      label="Note"
      hint="Only your side reads this"
      name="note"
      optional
      rows={2}
      limit={TAPE_LIMITS.markText}
      value={note}
      onChange={handleChange}
    />
  );
}

/** Puts the cursor into the note inside an element. */
export function focusNote(inside: RefObject<HTMLElement | null>): void {
  inside.current?.querySelector<HTMLTextAreaElement>('textarea[name="note"]')?.focus();
}
