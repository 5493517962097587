import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import { deviceWord } from '#ui/device.ts';
import { toErrorText } from '#shared/error-text.ts';
import { confirm } from '#ui/confirm.tsx';
import { focusFirstInvalid, FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { getSummaryText, isDirty, sortErrors, type FormErrors, type FormValues } from './form-values.ts';
import { useDraft } from './use-draft.ts';

export interface OpenForm {
  values: FormValues;
  /** Error messages by field. */
  errors: Record<string, string>;
  change: (changed: FormValues) => void;
}

export type Checked = { row: AnyRow } | { errors: Record<string, string[]> };

interface FormSheetProps {
  title: string;
  /** Key under which the typed values are kept while the sheet is closed. */
  draftKey: string;
  /** The stored row as input values. The order of its keys decides which invalid field gets the focus first. */
  start: FormValues;
  /** The server's errors, if the form is open to correct a refused change. */
  refused?: Record<string, string[]> | undefined;
  check: (values: FormValues) => Checked;
  /** Resolves once the change is stored on this device. */
  save: (row: AnyRow) => Promise<void>;
  onClose: () => void;
  children: (form: OpenForm) => ReactNode;
}

const NO_ERRORS: FormErrors = { fields: {}, others: [] };

function getSummary(errors: FormErrors, values: FormValues): string | null {
  const count = Object.keys(errors.fields).length + errors.others.length;
  if (count === 0) return null;
  return [getSummaryText(count, values), ...errors.others].join(' ');
}

function onlyText(values: Record<string, unknown>): FormValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

/** A form in a sheet, with a draft, errors at their fields, Discard and Save. It does not depend on the network. */
export function FormSheet(props: FormSheetProps) {
  const draft = useDraft(props.draftKey);
  if (draft.kept === undefined) return null;
  return <LoadedForm {...props} draft={draft} kept={draft.kept} />;
}

type LoadedFormProps = FormSheetProps & {
  draft: ReturnType<typeof useDraft>;
  kept: Record<string, unknown> | null;
};

function LoadedForm({ title, start, refused, check, save, onClose, children, draft, kept }: LoadedFormProps) {
  // The values when the sheet opened: a pull in the meantime must not turn untouched fields into edits.
  const [stored] = useState(start);
  const [values, setValues] = useState(() => ({ ...stored, ...(kept && onlyText(kept)) }));
  const keys = Object.keys(stored);
  const [errors, setErrors] = useState<FormErrors>(() => (refused ? sortErrors(keys, refused) : NO_ERRORS));
  const [errorText, setErrorText] = useState<string | null>(null);
  const [isRestored] = useState(() => kept !== null && isDirty(stored, values));
  const body = useRef<HTMLDivElement>(null);
  const isSaving = useRef(false);
  const isChanged = isDirty(stored, values);

  const [attempts, setAttempts] = useState(refused ? 1 : 0);
  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(body.current);
  }, [attempts]);

  const change = (changed: FormValues) => {
    const next = { ...values, ...changed };
    setValues(next);
    draft.keep(next);
    setErrors((before) => ({
      ...before,
      fields: Object.fromEntries(Object.entries(before.fields).filter(([key]) => !(key in changed))),
    }));
  };
  const handleSave = async () => {
    if (isSaving.current) return;
    const checked = check(values);
    if ('errors' in checked) {
      setErrors(sortErrors(keys, checked.errors));
      setAttempts(attempts + 1);
      return;
    }
    isSaving.current = true;
    setErrorText(null);
    try {
      await save(checked.row);
      await draft.drop();
      onClose();
    } catch (error) {
      setErrorText(
        toErrorText(error, 'An unexpected error occurred. What you typed is still here.', { isTyped: true }),
      );
      // Reset only on failure: after a save, a second tap on the closing sheet must not save the values again.
      isSaving.current = false;
    }
  };
  const handleDiscard = async () => {
    if (
      isChanged &&
      !(await confirm({ title: 'Discard what you typed?', yes: 'Discard', no: 'Keep editing', danger: true }))
    )
      return;
    draft.drop().catch(reportError);
    onClose();
  };

  return (
    <Sheet
      title={title}
      dirty={isChanged}
      keepText={`What you typed stays on this ${deviceWord()}. Open this again to go on.`}
      onClose={onClose}
      onSubmit={() => void handleSave()}
      foot={<FormFoot onDiscard={() => void handleDiscard()}>Save</FormFoot>}
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={errorText ?? getSummary(errors, values)} />
        {isRestored && (
          <p className="text-sm text-muted" role="status">
            Picked up where you left off
          </p>
        )}
        {children({ values, errors: errors.fields, change })}
      </div>
    </Sheet>
  );
}
