import type { AppError } from '#net/app-error.ts';
import { inWords } from '#lib/text.ts';

/** What stands under the fields and above the form after a refusal. */
export interface FormErrors {
  fields: Record<string, string>;
  summary: string | null;
}

export const NO_ERRORS: FormErrors = { fields: {}, summary: null };

/** Field messages, each on its field; those of fields the form does not have go on top, so that none is swallowed. */
export function toFormErrors(errors: Record<string, string[]>, known: readonly string[], message?: string): FormErrors {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const [field, texts] of Object.entries(errors)) {
    if (known.includes(field)) fields[field] = texts.join('. ');
    else others.push(...texts);
  }
  const n = Object.keys(fields).length;
  const counted = n === 0 ? (message ?? null) : `${inWords(n)} ${n === 1 ? 'thing' : 'things'} to fix.`;
  return { fields, summary: [counted, ...others].filter(Boolean).join(' ') || null };
}

/**
 * A refused call in a person's words.
 * @param doing what needed the network: 'Signing in'
 */
export function appErrorToFormErrors(error: AppError, known: readonly string[], doing: string): FormErrors {
  switch (error.reason) {
    case 'network':
    case 'timeout':
      return { fields: {}, summary: `No connection. ${doing} only works online. What you typed is still here.` };
    case 'invalid':
      return toFormErrors(error.errors ?? {}, known, error.message);
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
