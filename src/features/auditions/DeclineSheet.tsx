import { CASTING_LIMITS } from '#contract/records/casting.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';

interface DeclineSheetProps {
  id: string;
  /** 'Naseem, The Salt Road' */
  title: string;
  sender: string;
  onClose: () => void;
}

/** Says no to an audition, with a few words if the performer likes. */
export function DeclineSheet({ id, title, sender, onClose }: DeclineSheetProps) {
  const form = useDraftForm({ key: `decline:${id}`, start: { text: '' } });
  if (form.kept === undefined) return null;
  const handleDecline = async () => {
    const fields = { at: new Date().toISOString(), text: form.values.text?.trim() ?? '' };
    const decline = { type: 'audition', id, act: 'decline', fields, title } as const;
    if (await form.submit(async (actions) => void (await actions.act(decline)))) {
      toast({ text: 'You said no. You can still change your mind.' });
      onClose();
    }
  };
  return (
    <Sheet
      title={`Decline ${title}?`}
      dirty={form.isChanged}
      onClose={onClose}
      onSubmit={() => void handleDecline()}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard what you typed?').then((isSure) => isSure && onClose())}>
          Decline
        </FormFoot>
      }
    >
      <FormSummary text={form.summary} />
      <TextArea
        label={`A word to ${sender}`}
        name="text"
        optional
        rows={3}
        limit={CASTING_LIMITS.declineText}
        value={form.values.text ?? ''}
        onChange={(text) => form.change({ text })}
      />
    </Sheet>
  );
}
