import { useRef } from 'react';
import { toErrorMap, rowSchema } from '#contract/schema.ts';
import type { AnyRow, RecordForm } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { getLayout } from '#lib/section-layout.ts';
import { FormField } from '#shared/forms/FormField.tsx';
import { type Checked, FormSheet } from '#shared/forms/FormSheet.tsx';
import { type FormValues, toFormValues, toRow } from '#shared/forms/form-values.ts';
import { getRefusedErrors, saveEdits } from '#shared/forms/save-edits.ts';

interface RecordSheetProps {
  type: 'project' | 'role';
  form: RecordForm;
  /** 'Add a role', 'Edit role'. */
  title: string;
  /** The record that a new one belongs to. */
  parent: string | null;
  /** The record to edit; absent to add one. */
  item?: Pick<Item, 'id' | 'body' | 'op' | 'reason' | 'error'>;
  /** What a new record begins with. */
  initial?: AnyRow;
  onClose: () => void;
  /** Called instead once a new record is stored. @param id of the record */
  onCreated?: (id: string) => void;
}

const getCurrentYear = () => new Date().getFullYear();

/** The form of a project or a role, from its definition. Saved on this device at once. */
export function RecordSheet({ type, form, title, parent, item, initial = {}, onCreated, onClose }: RecordSheetProps) {
  const created = useRef<string | null>(null);
  const check = (values: FormValues): Checked => {
    const checked = rowSchema(form, getCurrentYear).safeParse(toRow(form, values));
    return checked.success ? { row: checked.data } : { errors: toErrorMap(checked.error.issues) };
  };
  return (
    <FormSheet
      title={title}
      draftKey={`${type}:${item?.id ?? `new:${parent ?? ''}`}`}
      stored={item?.body ?? initial}
      toValues={(row) => toFormValues(form, row)}
      toRow={(values) => toRow(form, values)}
      refused={getRefusedErrors(item)}
      check={check}
      save={async (actions, row, edits) => {
        if (item) return saveEdits(actions, { type, id: item.id, item }, edits);
        const { id } = await actions.create(type, parent, row);
        created.current = id;
      }}
      onClose={() => (created.current === null || !onCreated ? onClose() : onCreated(created.current))}
    >
      {({ values, errors, change }) =>
        getLayout(form).map((part) => (
          <FormField
            key={part.kind === 'pair' ? part.month : part.key}
            fields={form.fields}
            part={part}
            values={values}
            errors={errors}
            onChange={change}
          />
        ))
      }
    </FormSheet>
  );
}
