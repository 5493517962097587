import { useRef, useState, type ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import type { Actions } from '#sync/actions.ts';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { changedFields, type FormValues } from './form-values.ts';
import type { Edits } from './save-edits.ts';
import { useDraftForm, type DraftForm } from './use-draft-form.ts';

export type OpenForm = Pick<DraftForm, 'values' | 'errors' | 'change'>;

export type Checked = { row: AnyRow } | { errors: Record<string, string[]> };

interface FormSheetProps {
  title: string;
  /** Key under which the typed values are kept while the sheet is closed. */
  draftKey: string;
  /** Key under which an older version of the app kept them. */
  formerDraftKey?: string | undefined;
  /** The stored row. Read once: changes from other devices while the form is open must not count as edits. */
  stored: AnyRow;
  toValues: (row: AnyRow) => FormValues;
  /** Converts input values without validating them. */
  toRow: (values: FormValues) => AnyRow;
  /** The server's errors, if the form is open to correct a refused change. */
  refused?: Record<string, string[]> | undefined;
  check: (values: FormValues) => Checked;
  /** Queues the change through the given actions. Resolves once it is stored on this device. */
  save: (actions: Actions, row: AnyRow, edits: Edits) => Promise<void>;
  onClose: () => void;
  children: (form: OpenForm) => ReactNode;
}

/** A form in a sheet, with a draft, errors at their fields, Discard and Save. It does not depend on the network. */
export function FormSheet(props: FormSheetProps) {
  const { title, draftKey, toRow, refused, check, save, onClose, children } = props;
  const body = useRef<HTMLDivElement>(null);
  const [stored] = useState(props.stored);
  const start = props.toValues(stored);
  const form = useDraftForm({ key: draftKey, formerKey: props.formerDraftKey, start, refused, body });
  const { values, errors, change } = form;
  if (form.kept === undefined) return null;

  const handleSave = async () => {
    const checked = check(values);
    if ('errors' in checked) form.showErrors(checked.errors);
    else if (await form.submit((actions) => save(actions, checked.row, getEdits(checked.row)))) onClose();
  };
  const getEdits = (row: AnyRow): Edits => {
    const before = toRow(form.seen);
    // The stored value is exact. A text that a draft has seen instead is converted.
    const seenOf = (key: string) => (form.seen[key] === start[key] ? stored[key] : before[key]) ?? null;
    const seen = Object.fromEntries(Object.keys(row).map((key) => [key, seenOf(key)]));
    return { changed: changedFields(stored, row), seen };
  };
  const handleDiscard = async () => {
    if (await form.discard('Discard what you typed?')) onClose();
  };
  return (
    <Sheet
      title={title}
      dirty={form.isChanged}
      keepText={`What you typed stays on this ${deviceWord()}. Open this again to go on.`}
      onClose={onClose}
      onSubmit={() => void handleSave()}
      foot={<FormFoot onDiscard={() => void handleDiscard()}>Save</FormFoot>}
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        {form.isRestored && (
          <p className="text-sm text-muted" role="status">
            Picked up where you left off
          </p>
        )}
        {children({ values, errors, change })}
      </div>
    </Sheet>
  );
}
