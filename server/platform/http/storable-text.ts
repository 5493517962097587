import { badRequest, invalid } from './errors.ts';

const MAX_DEPTH = 32;

/** Whether PostgreSQL can store the text: it contains no NUL and no unpaired surrogate. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed();

/**
 * Refuses text that PostgreSQL cannot store (NUL, unpaired surrogates) and nesting deeper than `MAX_DEPTH`. Runs over every body,
 * query and path parameter before anything else reads them.
 * @throws 422 naming the field, 400 for deep nesting
 */
export function requireStorableText(value: unknown, path: string[] = []): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid({ [path.join('.') || 'body']: ['Remove the hidden character'] });
    if (!value.isWellFormed()) throw invalid({ [path.join('.') || 'body']: ['Remove the broken character'] });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_DEPTH) throw badRequest('The body is nested too deeply');
  for (const [key, inner] of Object.entries(value)) {
    // The error does not repeat a field name that is itself malformed.
    if (!isStorableText(key)) throw invalid({ body: ['Remove the hidden character'] });
    requireStorableText(inner, [...path, key]);
  }
}
