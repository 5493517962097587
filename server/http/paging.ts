import * as z from 'zod/mini';
import { invalid } from './errors.ts';

const MOST = 100;
const USUAL = 50;

/** What a paged list takes. */
export const pageQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(500, { error: 'Send a cursor of this list' }))),
  limit: z._default(
    z.pipe(
      z.string({ error: 'Use a whole number' }).check(z.regex(/^\d{1,6}$/, { error: 'Use a whole number' })),
      z.transform((text) => Math.min(MOST, Math.max(1, Number(text)))),
    ),
    USUAL,
  ),
});

/** A place in a list as text that callers hand back unread. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws 422 when the text is no cursor of this list */
export function placeOf<T extends z.ZodMiniType>(schema: T, cursor: string | undefined): z.output<T> | null {
  if (cursor === undefined) return null;
  try {
    return z.parse(schema, JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalid({ cursor: ['Send a cursor of this list'] });
  }
}
