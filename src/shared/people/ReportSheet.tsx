import { Flag } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { PEOPLE_CALLS } from '#contract/people-calls.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { call } from '#net/client.ts';
import { useDraftText } from '#shared/forms/use-draft-text.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';

const REASONS = Object.entries(REPORT_REASONS).map(([value, label]) => ({ value, label }));

/** Reports a person to the operators. It works only online: a report must not wait in the outbox for days. */
export function ReportSheet({ person, onClose }: { person: { userId: string; name: string }; onClose: () => void }) {
  const isOnline = useOnline();
  const [reason, setReason] = useState('');
  const { text, change: setText, drop } = useDraftText(`report:${person.userId}`);
  const handleClose = () => {
    drop();
    onClose();
  };
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [errorText, setErrorText] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const send = async () => {
    if (reason === '') return setErrors({ reason: ['Choose a reason'] });
    setIsSending(true);
    const body = { user_id: person.userId, reason, ...(text.trim() !== '' && { text: text.trim() }) };
    const answer = await call<{ message: string }>(PEOPLE_CALLS.report, { body });
    setIsSending(false);
    if (!answer.ok) {
      setErrors(answer.error.errors ?? {});
      return setErrorText(answer.error.message);
    }
    toast({ text: answer.data.message, icon: Flag });
    handleClose();
  };
  return (
    <Sheet
      title={`Report ${person.name}`}
      dirty={reason !== '' || text.trim() !== ''}
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
      <FormSummary text={errorText} />
      <p className="text-muted">
        The Callboard team will review your report. {person.name} is not told. To stop seeing them, block them as well.
      </p>
      <ChoiceChips
        label="What’s wrong?"
        name="reason"
        options={REASONS}
        value={reason}
        onChange={setReason}
        error={errors['reason']?.join(' ')}
      />
      <TextArea
        name="text"
        label="What happened"
        optional
        value={text}
        limit={LIMITS.reportText}
        onChange={setText}
        error={errors['text']?.join(' ')}
      />
    </Sheet>
  );
}
