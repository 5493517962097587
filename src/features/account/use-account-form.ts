import { useState } from 'react';
import { toErrorMap } from '#contract/schema.ts';
import type { AppError } from '#net/app-error.ts';
import {
  appErrorToFormErrors,
  getSummary,
  NO_ERRORS,
  toFormErrors,
  withoutField,
  type FormErrors,
} from './form-errors.ts';

type Checked<B> =
  | { success: true; data: B }
  | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };

export interface AccountForm<K extends string> {
  /** What stands above the fields; null if all is well. */
  summary: string | null;
  /** How often it was sent in vain. Each time, the first wrong field gets the focus. */
  attempts: number;
  isBusy: boolean;
  /** Whether any field differs from its initial value. */
  isTouched: boolean;
  /** Returns the props of the text field with this name. */
  field: (name: K) => { name: K; value: string; onChange: (value: string) => void; error: string | undefined };
  submit: () => void;
}

/**
 * State of a form that only works online: validates with the server's schema, then sends one request at a time.
 * @param doing the action, for the message when offline: 'Signing in'
 */
export function useAccountForm<K extends string, B>(options: {
  initial: Record<K, string>;
  check: (values: Record<K, string>) => Checked<B>;
  send: (body: B) => Promise<{ ok: true } | { ok: false; error: AppError }>;
  doing: string;
}): AccountForm<K> {
  const { initial, check, send, doing } = options;
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [attempts, setAttempts] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const fieldNames = Object.keys(initial);

  const refuse = (found: FormErrors) => {
    setErrors(found);
    setAttempts((before) => before + 1);
  };
  const submit = async () => {
    if (isBusy) return;
    const checked = check(values);
    if (!checked.success) return refuse(toFormErrors(toErrorMap(checked.error.issues), fieldNames));
    setIsBusy(true);
    try {
      const outcome = await send(checked.data);
      if (outcome.ok) setErrors(NO_ERRORS);
      else refuse(appErrorToFormErrors(outcome.error, fieldNames, doing));
    } catch (error) {
      reportError(error);
      refuse({ fields: {}, message: 'An unexpected error occurred. What you typed is still here.' });
    } finally {
      setIsBusy(false);
    }
  };

  return {
    summary: getSummary(errors),
    attempts,
    isBusy,
    isTouched: (Object.keys(initial) as K[]).some((name) => values[name] !== initial[name]),
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => {
        setValues((previous) => ({ ...previous, [name]: value }));
        setErrors((previous) => withoutField(previous, name));
      },
      error: errors.fields[name],
    }),
    submit: () => void submit(),
  };
}
