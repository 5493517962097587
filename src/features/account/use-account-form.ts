import { useState } from 'react';
import { errorMap } from '#contract/schema.ts';
import type { AppError } from '#net/app-error.ts';
import { appErrorToFormErrors, toFormErrors, NO_ERRORS, type FormErrors } from './form-errors.ts';

type Checked<B> =
  | { success: true; data: B }
  | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };

export interface AccountForm<K extends string> {
  errors: FormErrors;
  isBusy: boolean;
  /** Something stands in a field that was not there at the start. */
  isTouched: boolean;
  /** What a text field needs, under its name. */
  field: (name: K) => { name: K; value: string; onChange: (value: string) => void; error: string | undefined };
  submit: () => void;
}

/**
 * A form that needs the network: checks here with the server's own rules, then sends once at a time.
 * @param doing what needs signal, for the message without it: 'Signing in'
 */
export function useAccountForm<K extends string, B>(options: {
  initial: Record<K, string>;
  check: (values: Record<K, string>) => Checked<B>;
  send: (body: B) => Promise<{ ok: true } | { ok: false; error: AppError }>;
  doing: string;
}): AccountForm<K> {
  const { initial, check, send, doing } = options;
  const [values, setValues] = useState(initial);
  const [trouble, setTrouble] = useState(NO_ERRORS);
  const [isBusy, setIsBusy] = useState(false);
  const known = Object.keys(initial);

  const submit = async () => {
    if (isBusy) return;
    const checked = check(values);
    if (!checked.success) return setTrouble(toFormErrors(errorMap(checked.error.issues), known));
    setIsBusy(true);
    try {
      const outcome = await send(checked.data);
      setTrouble(outcome.ok ? NO_ERRORS : appErrorToFormErrors(outcome.error, known, doing));
    } catch (error) {
      reportError(error);
      setTrouble({ fields: {}, summary: 'An unexpected error occurred. What you typed is still here.' });
    } finally {
      setIsBusy(false);
    }
  };

  return {
    errors: trouble,
    isBusy,
    isTouched: (Object.keys(initial) as K[]).some((name) => values[name] !== initial[name]),
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => setValues((before) => ({ ...before, [name]: value })),
      error: trouble.fields[name],
    }),
    submit: () => void submit(),
  };
}
