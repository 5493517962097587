import { useState } from 'react';
import type { CastingItem } from '#db/casting.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { FormSheet } from '#shared/forms/FormSheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { DeadlineField } from './DeadlineField.tsx';
import { findDeadlineError, readDeadlineValue, toDeadlineValue } from './request-changes.ts';

interface MoveDeadlineSheetProps {
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  /** Those who owe a tape. At least one. */
  requests: readonly CastingItem<'request'>[];
  onClose: () => void;
}

/** Moves the deadline for everybody who owes a tape. */
export function MoveDeadlineSheet({ role, project, requests, onClose }: MoveDeadlineSheetProps) {
  const { engine } = useAccount();
  const now = useNow();
  const zone = project.body.time_zone;
  const deadlines = requests.map(({ body }) => body.deadline_at).sort();
  // Read once, as the form does: what comes from other devices meanwhile must not count as an edit.
  const [first] = useState(deadlines[0]!);
  const isShared = deadlines[0] === deadlines.at(-1);
  const read = ({ deadline_at = '' }) => ({ deadline_at: readDeadlineValue(deadline_at, first, zone) });
  return (
    <FormSheet
      title="Move the deadline"
      draftKey={`deadline:${role.id}`}
      stored={{ deadline_at: first }}
      toValues={() => ({ deadline_at: toDeadlineValue(first, zone) })}
      toRow={read}
      check={(values) => {
        const row = read(values);
        const error = findDeadlineError(row.deadline_at, first, now);
        return error === null ? { row } : { errors: { deadline_at: [error] } };
      }}
      save={async (_actions, { deadline_at }) => {
        const moved = requests.filter(({ body }) => body.deadline_at < String(deadline_at));
        for (const { id, body } of moved)
          await engine.update('request', id, { deadline_at }, { deadline_at: body.deadline_at });
        if (moved.length > 0) toast({ text: `New deadline for ${count(moved.length, 'performer')}` });
      }}
      onClose={onClose}
    >
      {({ values, errors, change }) => (
        <>
          <p className="text-sm text-muted">
            {requests.length === 1
              ? 'For the one performer who has not sent a tape.'
              : `For the ${requests.length} performers who have not sent a tape.`}
            {!isShared && ' Whoever has a later deadline keeps it.'}
          </p>
          <DeadlineField
            name="deadline_at"
            value={values.deadline_at ?? ''}
            error={errors.deadline_at}
            onChange={(value) => change({ deadline_at: value })}
            stored={first}
            zone={zone}
            now={now}
          />
        </>
      )}
    </FormSheet>
  );
}
