import { useEffect, useRef, useState, type RefObject } from 'react';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { confirm } from '#ui/confirm.tsx';
import type { Actions } from '#sync/actions.ts';
import { focusFirstInvalid } from '#ui/Field.tsx';
import { getSummaryText, isDirty, sortErrors, type FormErrors, type FormValues } from './form-values.ts';
import { useDraft } from './use-draft.ts';

/** What a draft keeps: texts by field, and other things such as the ids of picked files. */
type Draft = Record<string, unknown>;

interface DraftFormOptions {
  /** Key under which the typed values are kept while the form is closed. */
  key: string;
  /** Key under which an older version of the app kept them. */
  formerKey?: string | undefined;
  /** The stored values. The order of the keys decides which invalid field gets the focus first. Read once. */
  start: FormValues;
  /** The server's errors, if the form is open to correct a refused change. */
  refused?: Record<string, string[]> | undefined;
  /** The element with the fields; the first invalid one gets the focus. */
  body?: RefObject<HTMLElement | null>;
}

export interface DraftForm {
  /** The draft that the form continues; undefined while it is being read. Show no fields before. */
  kept: Draft | undefined;
  values: FormValues;
  /** The stored values that the person saw when they typed theirs: those of now, or those of a draft's day. */
  seen: FormValues;
  /** Whether there are values that are not stored yet. */
  isChanged: boolean;
  /** Whether the form continues a draft with such values. */
  isRestored: boolean;
  /** Error messages by field. */
  errors: Record<string, string>;
  /** One text for all errors, or why the last save failed. */
  summary: string | null;
  change: (changed: FormValues) => void;
  /** Keeps something in the draft that is not text, such as the ids of picked files. */
  attach: (attached: Draft) => void;
  /** Writes the draft at once. */
  flush: () => void;
  /** Removes the draft, because nothing is in the form any more. What comes next has a draft again. */
  forget: () => void;
  /**
   * Shows errors by field, and focuses the first one. An empty map clears all messages.
   * @param moreFields keys of fields beside those of the values, such as the names of picked files
   */
  showErrors: (errors: Record<string, string[]>, moreFields?: readonly string[]) => void;
  /** Shows a message about the whole form; null clears it. */
  showError: (text: string | null) => void;
  /**
   * Saves once and removes the draft. Resolves to false while another save runs or after it succeeded, and if this one fails: the
   * reason is then shown, and the draft stays.
   * @param save queues the change through the given actions, which remove the draft in the same transaction: a page that ends in
   * between does not offer again what is saved. A form that queues several changes, one after the other, uses the engine's own.
   * @param unexpected message for an error that is not the storage's
   */
  submit: (save: (actions: Actions) => Promise<void>, unexpected?: string) => Promise<boolean>;
  /** Allows another save after a successful one, for a form that stays open. */
  reopen: () => void;
  drop: () => void;
  /** Removes the draft, if the user agrees or has typed nothing. */
  discard: (question: string, isChanged?: boolean) => Promise<boolean>;
}

const NO_ERRORS: FormErrors = { fields: {}, others: [] };

/** Where a draft has the stored values that its texts replace. */
const SEEN = 'seen';

/** The texts of a draft for the fields of a form. A draft of an older version may have others. */
function pickTexts(draft: unknown, keys: readonly string[]): FormValues {
  if (typeof draft !== 'object' || draft === null) return {};
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = (draft as Draft)[key];
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
}

/** The texts that the person changed. Others follow what another device has stored meanwhile. */
function readDraft(draft: Draft, keys: readonly string[]): { texts: FormValues; seen: FormValues } {
  const seen = pickTexts(draft[SEEN], keys);
  const typed = keys.filter((key) => draft[key] !== seen[key]);
  return { texts: pickTexts(draft, typed), seen: pickTexts(seen, typed) };
}

function getSummary(errors: FormErrors, values: FormValues): string | null {
  const count = Object.keys(errors.fields).length + errors.others.length;
  if (count === 0) return null;
  return [getSummaryText(count, values), ...errors.others].join(' ');
}

/** The state of a form whose values survive a closed sheet or page. It does not depend on the network. */
export function useDraftForm({ key, formerKey, start, refused, body }: DraftFormOptions): DraftForm {
  const { engine } = useAccount();
  const draft = useDraft(key, formerKey);
  // The values when the form opened: a pull in the meantime must not turn untouched fields into edits.
  const [stored] = useState(start);
  const keys = Object.keys(stored);
  // Kept here: the key changes when the server's id of the record arrives, and the new one has no draft.
  const [kept, setKept] = useState<Draft>();
  if (kept === undefined && draft.kept !== undefined) setKept(draft.kept ?? {});
  const [typed, setTyped] = useState<FormValues>({});
  const draftOf = readDraft(kept ?? {}, keys);
  const opened = { ...stored, ...draftOf.texts };
  const values = { ...opened, ...typed };
  const seen = { ...stored, ...draftOf.seen };
  /** Everything that was typed and attached so far, also since the last render. */
  const latest = useRef<Draft>({});

  const [errors, setErrors] = useState(() => (refused ? sortErrors(keys, refused) : NO_ERRORS));
  const [errorText, setErrorText] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(refused ? 1 : 0);
  const isLoaded = kept !== undefined;
  useEffect(() => {
    if (isLoaded && attempts > 0) focusFirstInvalid(body?.current ?? null);
  }, [isLoaded, attempts, body]);

  /** True while the values are being saved, and once they are saved or discarded. Nothing may restore the draft then. */
  const isEnding = useRef(false);
  const keep = (part: Draft) => {
    latest.current = { ...latest.current, ...part };
    const all = { ...kept, ...latest.current };
    const replaced = keys.filter((key) => key in all);
    if (!isEnding.current) draft.keep({ ...all, [SEEN]: pickTexts(seen, replaced) });
  };
  const drop = () => {
    isEnding.current = true;
    return draft.drop().catch(reportError);
  };
  return {
    kept,
    values,
    seen,
    isChanged: isDirty(stored, values),
    isRestored: isDirty(stored, opened),
    errors: errors.fields,
    summary: errorText ?? getSummary(errors, values),
    change: (changed) => {
      setTyped((before) => ({ ...before, ...changed }));
      setErrors(({ fields, others }) => ({
        others,
        fields: Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in changed))),
      }));
      keep(changed);
    },
    attach: keep,
    flush: draft.flush,
    forget: () => void draft.drop().catch(reportError),
    showErrors: (found, moreFields = []) => {
      setErrorText(null);
      setErrors(sortErrors([...keys, ...moreFields], found));
      setAttempts((before) => before + 1);
    },
    showError: setErrorText,
    submit: async (save, unexpected = 'An unexpected error occurred. What you typed is still here.') => {
      if (isEnding.current) return false;
      isEnding.current = true;
      setErrorText(null);
      // So that local storage has no copy any more when the change is stored.
      draft.flush();
      try {
        await save(await engine.endingDraft(key));
      } catch (error) {
        setErrorText(toErrorText(error, unexpected, { isTyped: true }));
        // Only after a failure: a second tap on a closing form must not save the values again.
        isEnding.current = false;
        if (Object.keys(latest.current).length > 0) keep({});
        return false;
      }
      // The values are stored by now, also if there was nothing to change. If a draft cannot be removed, they must not be saved again.
      await drop();
      return true;
    },
    reopen: () => {
      isEnding.current = false;
      setErrorText(null);
    },
    drop: () => void drop(),
    discard: async (question, isChanged = isDirty(stored, values)) => {
      const isSure =
        !isChanged || (await confirm({ title: question, yes: 'Discard', no: 'Keep editing', danger: true }));
      if (isSure) void drop();
      return isSure;
    },
  };
}
