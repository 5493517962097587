import { badRequest, invalid } from './errors.ts';

const DEEPEST = 32;

/** Text that can be stored: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed();

/**
 * Refuses text that PostgreSQL cannot store (NUL, halves of surrogate pairs), naming the field, and nesting nobody needs.
 * Runs over every body, query and path part before anything else reads them.
 */
export function requireStorableText(value: unknown, path: string[] = []): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid({ [path.join('.') || 'body']: ['Remove the hidden character'] });
    if (!value.isWellFormed()) throw invalid({ [path.join('.') || 'body']: ['Remove the broken character'] });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST) throw badRequest('The body is nested too deeply');
  for (const [key, inner] of Object.entries(value)) {
    // A name as sent may itself be broken text; it is not repeated then.
    if (!isStorableText(key)) throw invalid({ body: ['Remove the hidden character'] });
    requireStorableText(inner, [...path, key]);
  }
}
