import type { AppError } from '#net/app-error.ts';
import { numberInWords } from '#lib/text.ts';

/** Error messages by field, and one for the whole form. */
export interface FormErrors {
  fields: Record<string, string>;
  summary: string | null;
}

export const NO_ERRORS: FormErrors = { fields: {}, summary: null };

/** Assigns messages to the form's fields. Messages of unknown fields go into the summary, so that none is lost. */
export function toFormErrors(
  errors: Record<string, string[]>,
  fieldNames: readonly string[],
  message?: string,
): FormErrors {
  const fields: Record<string, string> = {};
  const otherMessages: string[] = [];
  for (const [field, texts] of Object.entries(errors)) {
    if (fieldNames.includes(field)) fields[field] = texts.join('. ');
    else otherMessages.push(...texts);
  }
  const invalidCount = Object.keys(fields).length;
  const countText =
    invalidCount === 0
      ? (message ?? null)
      : `${numberInWords(invalidCount)} ${invalidCount === 1 ? 'thing' : 'things'} to fix.`;
  return { fields, summary: [countText, ...otherMessages].filter(Boolean).join(' ') || null };
}

/**
 * Converts a failed call to form errors.
 * @param doing the action, for the message when offline: 'Signing in'
 */
export function appErrorToFormErrors(error: AppError, fieldNames: readonly string[], doing: string): FormErrors {
  switch (error.reason) {
    case 'network':
    case 'timeout':
      return { fields: {}, summary: `No connection. ${doing} only works online. What you typed is still here.` };
    case 'invalid':
      return toFormErrors(error.errors ?? {}, fieldNames, error.message);
    case 'unauthorized':
    case 'forbidden':
    case 'missing':
    case 'conflict':
    case 'too many':
      return { fields: {}, summary: error.message };
    case 'server':
      return { fields: {}, summary: 'An unexpected error occurred.' };
  }
}
