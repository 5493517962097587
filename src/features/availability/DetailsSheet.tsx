import { useRef } from 'react';
import { AVAILABILITY_LIMITS } from '#contract/records/availability.ts';
import { rangeText } from '#lib/calendar-month.ts';
import { fromLocalInput, toLocalInput } from '#lib/deadline.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { codePoints } from '#lib/text.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { FormSummary, TextField } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';

interface DetailsSheetProps {
  from: string;
  to: string;
  /** ms since 1970, by the server's clock. */
  now: number;
  thisYear: string;
  /** What all of the days have; undefined if they differ. */
  note: string | null | undefined;
  /** ISO time, or undefined as above. */
  expiresAt: string | null | undefined;
  /** Whether some of the days are pencilled or held, which may end by themselves. */
  mayExpire: boolean;
  /** Gets only what was changed: what the days have beside it stays, also where they differ. */
  onSave: (details: { note?: string | null; expires_at?: string | null }) => Promise<void>;
  onClose: () => void;
}

/** Writes down what days are kept for, and until when. */
export function DetailsSheet({
  from,
  to,
  now,
  thisYear,
  note,
  expiresAt,
  mayExpire,
  onSave,
  onClose,
}: DetailsSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const zone = getDeviceZone();
  const start = { note: note ?? '', until: expiresAt == null ? '' : toLocalInput(Date.parse(expiresAt), zone) };
  const form = useDraftForm({ key: `availability:${from}:${to}`, start, body });
  if (form.kept === undefined) return null;
  const save = async () => {
    const typed = { note: form.values.note?.trim() ?? '', until: form.values.until ?? '' };
    const end = typed.until === '' ? null : fromLocalInput(typed.until, zone);
    const errors: Record<string, string[]> = {};
    if (codePoints(typed.note) > AVAILABILITY_LIMITS.note)
      errors.note = [`Keep it to ${AVAILABILITY_LIMITS.note} characters`];
    if (typed.until !== '' && (end === null || end <= now)) errors.until = ['Choose a time that is to come'];
    form.showErrors(errors);
    if (Object.keys(errors).length > 0) return;
    const details = {
      ...(typed.note !== start.note && { note: typed.note || null }),
      ...(typed.until !== start.until && { expires_at: end === null ? null : new Date(end).toISOString() }),
    };
    if (await form.submit(() => onSave(details))) onClose();
  };
  return (
    <Sheet
      title={rangeText(from, to, thisYear)}
      dirty={form.isChanged}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard what you typed?').then((isSure) => isSure && onClose())}>
          Save
        </FormFoot>
      }
    >
      <div ref={body} className="grid grid-cols-1 gap-4">
        <FormSummary text={form.summary} />
        <TextField
          label="Note"
          name="note"
          optional
          placeholder="The Salt Road, first refusal"
          hint={
            note === undefined ? 'The days have different notes. Leave this empty to keep them.' : 'Only you see it.'
          }
          value={form.values.note ?? ''}
          error={form.errors.note}
          onChange={(value) => form.change({ note: value })}
        />
        {mayExpire && (
          <TextField
            label="Until"
            name="until"
            kind="datetime-local"
            optional
            hint={
              expiresAt === undefined
                ? 'The days end at different times. Leave this empty to keep them.'
                : 'Then the days count as not stated.'
            }
            value={form.values.until ?? ''}
            error={form.errors.until}
            onChange={(value) => form.change({ until: value })}
          />
        )}
      </div>
    </Sheet>
  );
}
