import { useState } from 'react';
import { kindOfRecord } from '#contract/media-kinds.ts';
import type { AnyRow } from '#contract/section.ts';
import type { MediaItem } from '#db/queries.ts';
import { FormSheet } from '#session/forms/FormSheet.tsx';
import { changedFields, valuesOf } from '#session/forms/form-values.ts';
import { useAccount } from '#session/session.tsx';
import { checkFields } from './media-form.ts';
import { MediaFields } from './MediaFields.tsx';

/** Changes the words of an item, sent or not. What the server refused opens with its errors. */
export function EditMediaSheet({ item, onClose }: { item: MediaItem; onClose: () => void }) {
  const { engine } = useAccount();
  // As it was when the form opened: what another device changes meanwhile is not this person's edit.
  const [opened] = useState(() => item.body);
  const kind = kindOfRecord(opened.media_type);
  if (!kind) return null;
  const isRefused = item.reason === 'invalid' && item.op !== undefined;
  const save = async (row: AnyRow) => {
    const changed = changedFields(opened, row);
    if (isRefused && item.op) await engine.fix({ op: item.op, type: 'media', id: item.id }, changed);
    else if (Object.keys(changed).length > 0) await engine.update('media', item.id, changed);
  };
  return (
    <FormSheet
      title={`Edit ${kind.noun}`}
      draftKey={`media:${item.id}`}
      start={valuesOf(kind, opened)}
      refused={isRefused ? item.error?.errors : undefined}
      check={(values) => checkFields(kind.fields, values)}
      save={save}
      onClose={onClose}
    >
      {({ values, errors, change }) => (
        <MediaFields fields={kind.fields} values={values} errors={errors} onChange={change} />
      )}
    </FormSheet>
  );
}
