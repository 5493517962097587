import { Flag } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { call } from '#net/client.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';

const EMPTY = { reason: '', text: '' };
const REASONS = Object.entries(REPORT_REASONS).map(([value, label]) => ({ value, label }));

/** What of a person is reported. The server keeps it as it is at that moment. */
export interface Reported {
  type: ReportTarget;
  id: string;
  /** For the title, with its owner: 'a message from Vik'. */
  name: string;
}

interface ReportSheetProps {
  person: { userId: string; name: string };
  /** By default the person. */
  about?: Reported | undefined;
  onClose: () => void;
}

/**
 * Reports a person, or something of theirs, to the operators. It works only online: a report must not wait in the outbox for days.
 */
export function ReportSheet({ person, about, onClose }: ReportSheetProps) {
  const isOnline = useOnline();
  const form = useDraftForm({ key: `report:${about ? `${about.type}:${about.id}` : person.userId}`, start: EMPTY });
  const { reason = '', text = '' } = form.values;
  const handleClose = () => {
    form.drop();
    onClose();
  };
  const [isSending, setIsSending] = useState(false);
  const send = async () => {
    if (reason === '') return form.showErrors({ reason: ['Choose a reason'] });
    setIsSending(true);
    const body = {
      user_id: person.userId,
      ...(about && { target_type: about.type, target_id: about.id }),
      reason,
      ...(text.trim() !== '' && { text: text.trim() }),
    };
    const answer = await call<{ message: string }>(PEOPLE_CALLS.report, { body });
    setIsSending(false);
    if (!answer.ok) {
      form.showErrors(answer.error.errors ?? {});
      return form.showError(answer.error.message);
    }
    toast({ text: answer.data.message, icon: Flag });
    handleClose();
  };
  return (
    <Sheet
      title={`Report ${about?.name ?? person.name}`}
      dirty={form.isChanged}
      onClose={handleClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button look="line" onClick={handleClose}>
            Discard
          </Button>
          <Button type="submit" disabled={!isOnline || isSending}>
            {isOnline ? 'Report' : 'Go online to report'}
          </Button>
        </>
      }
    >
      <FormSummary text={form.summary} />
      <p className="text-muted">
        {about ? 'We keep a copy of it with your report, as it is now' : 'The Callboard team will review your report'}.{' '}
        {person.name} is not told. To stop seeing them, block them as well.
      </p>
      <ChoiceChips
        label="What’s wrong?"
        name="reason"
        options={REASONS}
        value={reason}
        onChange={(chosen) => form.change({ reason: chosen })}
        error={form.errors['reason']}
      />
      <TextArea
        name="text"
        label="What happened"
        optional
        value={text}
        limit={LIMITS.reportText}
        onChange={(typed) => form.change({ text: typed })}
        error={form.errors['text']}
      />
    </Sheet>
  );
}
