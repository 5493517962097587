import { useRef, type ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import type { FormValues } from './form-values.ts';
import { useDraftForm, type DraftForm } from './use-draft-form.ts';

export type OpenForm = Pick<DraftForm, 'values' | 'errors' | 'change'>;

export type Checked = { row: AnyRow } | { errors: Record<string, string[]> };

interface FormSheetProps {
  title: string;
  /** Key under which the typed values are kept while the sheet is closed. */
  draftKey: string;
  /** The stored row as input values. */
  start: FormValues;
  /** The server's errors, if the form is open to correct a refused change. */
  refused?: Record<string, string[]> | undefined;
  check: (values: FormValues) => Checked;
  /** Resolves once the change is stored on this device. */
  save: (row: AnyRow) => Promise<void>;
  onClose: () => void;
  children: (form: OpenForm) => ReactNode;
}

/** A form in a sheet, with a draft, errors at their fields, Discard and Save. It does not depend on the network. */
export function FormSheet({ title, draftKey, start, refused, check, save, onClose, children }: FormSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const form = useDraftForm({ key: draftKey, start, refused, body });
  const { values, errors, change } = form;
  if (form.kept === undefined) return null;

  const handleSave = async () => {
    const checked = check(values);
    if ('errors' in checked) form.showErrors(checked.errors);
    else if (await form.submit(() => save(checked.row))) onClose();
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
