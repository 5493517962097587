import { LIMITS } from '#contract/limits.ts';
import { detectAuditionSign } from '#shared/chat/ScamWarning.tsx';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';

interface QuestionSheetProps {
  /** The server's id of the audition. */
  id: string;
  /** 'Naseem, The Salt Road' */
  title: string;
  sender: { user_id: string; name: string };
  onClose: () => void;
}

/** Asks the sender of a request something. */
export function QuestionSheet({ id, title, sender, onClose }: QuestionSheetProps) {
  const isOnline = useOnline();
  const form = useDraftForm({ key: `question:${id}`, start: { text: '' } });
  if (form.kept === undefined) return null;
  const text = form.values.text ?? '';
  const sign = detectAuditionSign(text);
  const ask = async () => {
    if (text.trim() === '') return form.showErrors({ text: ['Write a question'] });
    const question = { auditionId: id, userId: sender.user_id, name: sender.name, text: text.trim() };
    if (!(await form.submit(async (actions) => void (await actions.askQuestion(question))))) return;
    toast({ text: isOnline ? `Asked ${sender.name}` : 'Your question is sent when you’re back online' });
    onClose();
  };
  return (
    <Sheet
      title={`Ask ${sender.name}`}
      dirty={form.isChanged}
      onClose={onClose}
      onSubmit={() => void ask()}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard what you typed?').then((isSure) => isSure && onClose())}>
          Ask
        </FormFoot>
      }
    >
      <FormSummary text={form.summary} />
      <TextArea
        label={`Your question about ${title}`}
        name="text"
        rows={4}
        limit={LIMITS.messageText}
        error={form.errors.text}
        value={text}
        onChange={(next) => form.change({ text: next })}
      />
      {sign !== null && sign !== 'elsewhere' && (
        <p role="note" className="mt-2 rounded-box bg-phone-tint p-3 text-sm text-phone">
          {sign === 'money'
            ? 'Nobody may ask you for money for an audition or a role. If somebody did, report it.'
            : 'Nobody may ask you for nude photos or tapes in an audition. If somebody did, report it.'}
        </p>
      )}
      <p className="mt-2 text-sm text-muted">
        You can write to each other here without being connected, until 30 days after the last answer.
      </p>
    </Sheet>
  );
}
