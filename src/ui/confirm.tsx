import { useId, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { Button, type ButtonLook } from './Button.tsx';
import { showQuestionsBy } from './question-host.ts';
import { createSlot } from './slot.ts';
import { useModal } from './use-modal.ts';

export interface Choice<V extends string> {
  value: V;
  label: string;
  look?: ButtonLook;
}

interface Question {
  title: string;
  text?: ReactNode;
  choices: readonly Choice<string>[];
  answer: (value: string | null) => void;
  n: number;
}

const asked = createSlot<Question | null>(null);
let n = 0;

/** Shows a question with two or more buttons. Resolves to null on Esc, or if another question replaces it. */
export function ask<V extends string>(question: {
  title: string;
  text?: ReactNode;
  choices: readonly Choice<V>[];
}): Promise<V | null> {
  asked.get()?.answer(null);
  n += 1;
  return new Promise((resolve) => {
    asked.set({
      ...question,
      n,
      answer: (value) => {
        asked.set(null);
        resolve(value as V | null);
      },
    });
  });
}

/** Closes the open question, as Esc does. */
export function closeQuestion(): void {
  asked.get()?.answer(null);
}

/** Asks a yes-or-no question; Esc means no. `danger` styles yes as an action that cannot be undone. */
export async function confirm(question: {
  title: string;
  text?: ReactNode;
  yes: string;
  no?: string;
  danger?: boolean;
}): Promise<boolean> {
  const answer = await ask({
    title: question.title,
    text: question.text,
    choices: [
      { value: 'no', label: question.no ?? 'Cancel', look: 'line' },
      { value: 'yes', label: question.yes, look: question.danger ? 'danger' : 'primary' },
    ],
  });
  return answer === 'yes';
}

/** Renders the open question. */
export function Questions() {
  const question = useSyncExternalStore(asked.subscribe, asked.get);
  return question && <QuestionDialog key={question.n} question={question} />;
}

function QuestionDialog({ question }: { question: Question }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const modal = useModal(dialog, () => question.answer(null));
  const stacked = question.choices.length > 2;
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="sheet"
      aria-labelledby={id}
      aria-describedby={question.text ? `${id}-text` : undefined}
      {...modal}
      // The second tap of a double tap must not answer the question that has just opened under the finger.
      onClickCapture={(event) => event.detail > 1 && event.stopPropagation()}
    >
      <div className="min-h-0 grow space-y-2 overflow-y-auto px-5 pt-6 pb-5">
        <h2 id={id} className="text-xl font-bold">
          {question.title}
        </h2>
        {question.text && (
          <div id={`${id}-text`} className="text-muted">
            {question.text}
          </div>
        )}
      </div>
      <div className={`sheet-foot ${stacked ? 'flex-col *:!flex-none' : ''}`}>
        {question.choices.map((choice) => (
          <Button key={choice.value} look={choice.look ?? 'line'} onClick={() => question.answer(choice.value)}>
            {choice.label}
          </Button>
        ))}
      </div>
    </dialog>
  );
}

showQuestionsBy(Questions);
