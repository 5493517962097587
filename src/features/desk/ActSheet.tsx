import { useState } from 'react';
import { getActRule, REMOVAL_DAYS, type DeskActName, type DeskTarget } from '#contract/desk-acts.ts';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import { DESK_LIMITS } from '#contract/records/desk.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/report-reasons.ts';
import { call } from '#net/client.ts';
import { keepRequest } from '#shared/forms/kept-request.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { FormSummary, TextArea, TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { isLate, toastLate, type AfterAct } from './undo-act.ts';

/** An act that somebody at the desk is about to do. */
export interface PlannedAct {
  act: DeskActName;
  /** 'Suspend Vik Anand' */
  title: string;
  target: { type: DeskTarget; id: string };
  person: { id: string; name: string };
  reportId: string | null;
  reason: ReportReason;
  /** What follows from it, where the title does not say so. */
  text?: string;
}

interface ActSheetProps extends AfterAct {
  plan: PlannedAct;
  isOperator: boolean;
  onClose: () => void;
}

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30'].map((value) => ({ value, label: value === '1' ? '1 day' : `${value} days` }));
const WITHOUT_END = { value: '', label: 'Without end' };

const OPENINGS: Partial<Record<DeskActName, string>> = {
  hide: 'Nobody else sees it any more. Until this is lifted, you alone can read it.',
  suspend: 'You can read, but not write, for now.',
  'account.remove': 'Your account is closed.',
};
/** A text to begin with, which the person at the desk changes. About a request of the person, they write it all. */
const draftWords = ({ act, reason, target }: PlannedAct) =>
  target.type === 'age_request'
    ? ''
    : `Somebody reported this: ${REPORT_REASONS[reason].toLowerCase()}. Callboard does not allow it. ${OPENINGS[act] ?? ''}`;

/** Asks once more before an act, with the exact words that the person will read. */
export function ActSheet({ plan, isOperator, onClose, onDone, onLate = toastLate }: ActSheetProps) {
  const { act, title, target, person, reportId, reason, text } = plan;
  const rule = getActRule(act);
  const [words, setWords] = useState(rule.needsWords ? draftWords(plan) : '');
  const [days, setDays] = useState('7');
  const [name, setName] = useState('');
  const [domain, setDomain] = useState('');
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [request] = useState(() => keepRequest<object>());

  const send = async () => {
    if (isSending) return;
    setIsSending(true);
    setProblem(null);
    onLate(null);
    const { body, key } = request({ words, days, name, domain }, () => ({
      act,
      target_type: target.type,
      target_id: target.id,
      report_id: reportId,
      reason,
      words,
      until: act === 'suspend' && days !== '' ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
      name,
      ...(act === 'office.verify' && domain.trim() !== '' && { domain }),
    }));
    const answer = await withFreshSignIn(() => call(DESK_CALLS.act, { body, key }));
    setIsSending(false);
    if (answer === null) return;
    if (!answer.ok && isLate(answer.error)) {
      onClose();
      onLate(answer.error.message);
      return onDone();
    }
    if (!answer.ok) {
      setErrors(answer.error.errors ?? {});
      return setProblem(answer.error.message);
    }
    toast({ text: 'Done. The log can undo it.' });
    onClose();
    await onDone();
  };

  return (
    <Sheet
      title={title}
      dirty={words !== '' && rule.needsWords && words !== draftWords(plan)}
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look={rule.needsWords ? 'danger' : 'primary'} aria-disabled={isSending}>
            {isSending ? 'One moment…' : title}
          </Button>
        </>
      }
    >
      <FormSummary text={problem} />
      {text !== undefined && <p>{text}</p>}
      {act === 'suspend' && (
        <ChoiceChips
          label="For how long"
          name="days"
          options={isOperator ? [...DAYS, WITHOUT_END] : DAYS}
          value={days}
          onChange={setDays}
          error={errors['until']?.[0]}
        />
      )}
      {rule.needsWords && (
        <TextArea
          name="words"
          label={`What ${person.name} reads`}
          value={words}
          limit={DESK_LIMITS.words}
          onChange={setWords}
          error={errors['words']?.[0]}
        />
      )}
      {act === 'account.remove' && (
        <TextField
          name="name"
          label={`Type the name: ${person.name}`}
          value={name}
          onChange={setName}
          hint={`The account is deleted after ${REMOVAL_DAYS} days. Until then, the log can undo this.`}
          error={errors['name']?.[0]}
        />
      )}
      {act === 'office.verify' && (
        <>
          <p className="text-muted">
            First make sure, by a way that you know, that the account is theirs. Nobody else can take a name that looks
            like this one.
          </p>
          <TextField
            name="name"
            label="Name of the office"
            value={name}
            onChange={setName}
            error={errors['name']?.[0] ?? errors['target_id']?.[0]}
          />
          <TextField
            name="domain"
            label="Website"
            optional
            value={domain}
            onChange={setDomain}
            hint="For example gulmohar.example"
            error={errors['domain']?.[0]}
          />
        </>
      )}
      {!rule.needsWords && <p className="text-muted">This is written into the log.</p>}
    </Sheet>
  );
}
