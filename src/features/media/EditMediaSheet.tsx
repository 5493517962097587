import { useState } from 'react';
import { mediaListOf } from '#contract/media-types.ts';
import type { MediaItem } from '#db/queries.ts';
import { getMediumShape } from '#lib/record-shape.ts';
import { FormSheet } from '#shared/forms/FormSheet.tsx';
import { toFormValues, toRow } from '#shared/forms/form-values.ts';
import { getRefusedErrors, saveEdits } from '#shared/forms/save-edits.ts';
import { checkFields } from './media-form.ts';
import { MediaFields } from './MediaFields.tsx';

interface EditMediaSheetProps {
  item: MediaItem;
  onClose: () => void;
}

/**
 * The form of one medium's details. After a refusal it opens with the server's errors, and Save sends the change again.
 */
export function EditMediaSheet({ item, onClose }: EditMediaSheetProps) {
  // The medium when the form opened: changes from other devices in the meantime must not count as edits.
  const [opened] = useState(item.body);
  const shape = getMediumShape(opened);
  if (shape === undefined) return null;
  return (
    <FormSheet
      title={`Edit ${mediaListOf(opened.media_type)?.noun ?? 'medium'}`}
      draftKey={`media:${item.id}`}
      stored={opened}
      toValues={(row) => toFormValues(shape, row)}
      toRow={(values) => toRow(shape, values)}
      refused={getRefusedErrors(item)}
      check={(values) => checkFields(shape, values)}
      save={(actions, _row, edits) => saveEdits(actions, { type: 'media', id: item.id, item }, edits)}
      onClose={onClose}
    >
      {({ values, errors, change }) => (
        <MediaFields fields={shape.fields} values={values} errors={errors} onChange={change} />
      )}
    </FormSheet>
  );
}
