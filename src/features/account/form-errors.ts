import type { AppError } from '#net/app-error.ts';
import { numberInWords } from '#lib/text.ts';

/** Error messages by field, and one about the whole form. */
export interface FormErrors {
  fields: Record<string, string>;
  message: string | null;
}

export const NO_ERRORS: FormErrors = { fields: {}, message: null };

/** What stands above the form: how many fields are wrong, and what is about none of them. Null if all is well. */
export function getSummary({ fields, message }: FormErrors): string | null {
  const invalidCount = Object.keys(fields).length;
  const countText =
    invalidCount === 0 ? null : `${numberInWords(invalidCount)} ${invalidCount === 1 ? 'thing' : 'things'} to fix.`;
  return [countText, message].filter(Boolean).join(' ') || null;
}

/** The errors that are left when this field was changed. */
export function withoutField({ fields, message }: FormErrors, name: string): FormErrors {
  return { fields: Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name)), message };
}

/** Assigns messages to the form's fields. Messages of unknown fields are about the whole form, so that none is lost. */
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
  const isAboutFields = Object.keys(fields).length > 0;
  return { fields, message: [isAboutFields ? null : message, ...otherMessages].filter(Boolean).join(' ') || null };
}

/**
 * Converts a failed call to form errors.
 * @param doing the action, for the message when offline: 'Signing in'
 */
export function appErrorToFormErrors(error: AppError, fieldNames: readonly string[], doing: string): FormErrors {
  switch (error.reason) {
    case 'network':
    case 'timeout':
      return { fields: {}, message: `No connection. ${doing} only works online. What you typed is still here.` };
    case 'invalid':
      return toFormErrors(error.errors ?? {}, fieldNames, error.message);
    case 'unauthorized':
    case 'forbidden':
    case 'missing':
    case 'conflict':
    case 'too many':
      return { fields: {}, message: error.message };
    case 'server':
      return { fields: {}, message: 'An unexpected error occurred.' };
  }
}
