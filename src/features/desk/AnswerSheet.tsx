import { useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import { DESK_LIMITS, type DeskAppeal } from '#contract/records/desk.ts';
import { call } from '#net/client.ts';
import { keepRequest } from '#shared/forms/kept-request.ts';
import { Button } from '#ui/Button.tsx';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { isLate } from './undo-act.ts';

interface AnswerSheetProps {
  appeal: DeskAppeal;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Answers an appeal in words. The decision itself is undone in the log. */
export function AnswerSheet({ appeal, onClose, onDone }: AnswerSheetProps) {
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [request] = useState(() => keepRequest<object>());
  const send = async () => {
    if (isSending) return;
    setIsSending(true);
    const { body, key } = request(words, () => ({
      act: 'appeal.answer',
      target_type: 'appeal',
      target_id: appeal.id,
      reason: appeal.restriction.reason,
      words,
    }));
    const answer = await call(DESK_CALLS.act, { body, key });
    setIsSending(false);
    if (!answer.ok && !isLate(answer.error)) return setProblem(answer.error.message);
    toast({ text: answer.ok ? 'Answered' : answer.error.message });
    await onDone();
  };
  return (
    <Sheet
      title={`Answer ${appeal.person.name}`}
      dirty={words !== ''}
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={isSending}>
            Send
          </Button>
        </>
      }
    >
      <FormSummary text={problem} />
      <p className="text-muted">To take the decision back, undo it in the log of the person’s report.</p>
      <TextArea
        name="words"
        label={`What ${appeal.person.name} reads`}
        value={words}
        limit={DESK_LIMITS.words}
        onChange={setWords}
      />
    </Sheet>
  );
}
