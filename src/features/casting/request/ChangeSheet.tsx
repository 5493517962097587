import { useState } from 'react';
import { CASTING_LIMITS } from '#contract/records/casting.ts';
import type { CastingItem } from '#db/casting.ts';
import { FormSheet } from '#shared/forms/FormSheet.tsx';
import { getRefusedErrors, saveEdits } from '#shared/forms/save-edits.ts';
import { TextArea } from '#ui/Field.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { DeadlineField } from './DeadlineField.tsx';
import { type Changes, findErrors, getZone, toChanges, toValues } from './request-changes.ts';

interface ChangeSheetProps {
  item: CastingItem<'request'>;
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  /** Of the performer. */
  name: string;
  onClose: () => void;
}

/** Changes what one performer was asked. They are told, and see what the deadline was before. */
export function ChangeSheet({ item, role, project, name, onClose }: ChangeSheetProps) {
  const now = useNow();
  const zone = getZone({ request: item, project });
  // Read once, as the form does: what comes from other devices meanwhile must not count as an edit.
  const [stored] = useState<Changes>(() => {
    const { deadline_at, sides_text = null, instructions = null } = item.body;
    return { deadline_at, sides_text, instructions };
  });
  return (
    <FormSheet
      title={`Change the request to ${name}`}
      draftKey={`request:${item.id}`}
      stored={{ ...stored }}
      toValues={() => toValues(stored, zone)}
      toRow={(values) => ({ ...toChanges(values, stored, zone) })}
      refused={getRefusedErrors(item)}
      check={(values) => {
        const changes = toChanges(values, stored, zone);
        const errors = findErrors(changes, stored, { request: item, role, project }, now);
        return Object.keys(errors).length === 0 ? { row: { ...changes } } : { errors };
      }}
      save={async (actions, _row, edits) => {
        await saveEdits(actions, { type: 'request', id: item.id, item }, edits);
        if (Object.keys(edits.changed).length > 0 && item.serverId !== null)
          toast({ text: `${name} will see what has changed` });
      }}
      onClose={onClose}
    >
      {({ values, errors, change }) => {
        const field = (key: string) => ({
          name: key,
          value: values[key] ?? '',
          error: errors[key],
          onChange: (value: string) => change({ [key]: value }),
        });
        return (
          <>
            <DeadlineField {...field('deadline_at')} stored={stored.deadline_at} zone={zone} now={now} />
            <TextArea {...field('sides_text')} label="Sides" optional rows={6} limit={CASTING_LIMITS.sidesText} />
            <TextArea
              {...field('instructions')}
              label="What to send"
              optional
              rows={3}
              limit={CASTING_LIMITS.instructions}
            />
          </>
        );
      }}
    </FormSheet>
  );
}
