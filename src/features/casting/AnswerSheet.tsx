import { useRef } from 'react';
import { ANSWER_KINDS, type AnswerKind } from '#contract/casting/state.ts';
import { answerBody, CASTING_LIMITS } from '#contract/records/casting.ts';
import { toErrorMap } from '#contract/schema.ts';
import { codePoints } from '#contract/text.ts';
import type { CastingItem } from '#db/casting.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { ANSWER_WORDS, wasCast } from './answer-words.ts';

const KINDS = (Object.keys(ANSWER_KINDS) as AnswerKind[]).map((value) => ({ value, label: ANSWER_KINDS[value] }));

interface AnswerSheetProps {
  item: CastingItem<'request'>;
  name: string;
  /** The name of the role. */
  role: string;
  /** 'Naseem, The Salt Road' */
  title: string;
  onClose: () => void;
}

/** Answers one performer. */
export function AnswerSheet({ item, name, role, title, onClose }: AnswerSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const form = useDraftForm({ key: `answer:${item.id}`, start: { kind: '', text: '' }, body });
  if (form.kept === undefined) return null;
  const { values, errors } = form;
  const hasPromise = wasCast(item.body);

  const handleKind = (kind: string) => {
    const before = values.kind as AnswerKind | '';
    const isUntouched = values.text === '' || (before !== '' && values.text === ANSWER_WORDS[before](role));
    form.change({ kind, ...(isUntouched && { text: hasPromise ? '' : ANSWER_WORDS[kind as AnswerKind](role) }) });
  };
  const handleSend = async () => {
    const checked = answerBody.safeParse(values);
    if (!checked.success) return form.showErrors(toErrorMap(checked.error.issues));
    const { kind, text } = checked.data;
    if (hasPromise && kind === 'no_thank_you' && codePoints(text ?? '') < CASTING_LIMITS.reasonAfterCast)
      return form.showErrors({ text: [`${name} was told that they are cast. Say what happened`] });
    const fields = { kind, text: text ?? null };
    if (
      await form.submit(
        async (actions) =>
          void (await actions.act({ type: 'request', id: item.id, act: 'answer', fields, title: `${name}, ${title}` })),
      )
    ) {
      toast({ text: `${name} gets your answer` });
      onClose();
    }
  };
  return (
    <Sheet
      title={`Answer ${name}`}
      dirty={form.isChanged}
      onClose={onClose}
      onSubmit={() => void handleSend()}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard your answer?').then((isSure) => isSure && onClose())}>
          Send
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        <ChoiceChips
          label="Answer"
          name="kind"
          options={KINDS}
          value={values.kind ?? ''}
          error={errors.kind}
          onChange={handleKind}
        />
        {values.kind === 'callback' && (
          <p className="text-sm text-muted">
            {item.body.round === 'callback'
              ? 'Say when and where to meet: a role has one callback tape.'
              : '“Ask for a callback”, in the menu beside the name, then asks for another tape.'}
          </p>
        )}
        <TextArea
          label="In your words"
          name="text"
          optional
          value={values.text ?? ''}
          error={errors.text}
          limit={CASTING_LIMITS.answerText}
          onChange={(text) => form.change({ text })}
        />
      </div>
    </Sheet>
  );
}
