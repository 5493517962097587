import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { toast } from '#ui/Toast.tsx';

/** What a page of the desk does after an act or its undoing. */
export interface AfterAct {
  /** Reads the page again. */
  onDone: () => Promise<void>;
  /** Says that it came too late, as in an old tab; the page is read again too. Null when the next one begins. By default, a toast. */
  onLate?: (message: string | null) => void;
}

/** Says so where the page has no place for it. */
export const toastLate = (message: string | null): void => void (message !== null && toast({ text: message }));

/** Whether somebody else was faster, or what it is about is gone. */
export const isLate = ({ reason }: AppError): boolean => reason === 'conflict' || reason === 'missing';

/** Undoes an act, after asking the person who they are where that is needed. */
export async function undoAct(id: string, { onDone, onLate = toastLate }: AfterAct): Promise<void> {
  onLate(null);
  const answer = await withFreshSignIn((key) => call(DESK_CALLS.undo, { params: { id }, key }));
  if (answer === null) return;
  if (answer.ok) toast({ text: 'Undone' });
  else if (isLate(answer.error)) onLate(answer.error.message);
  else return toast({ text: answer.error.message });
  await onDone();
}
