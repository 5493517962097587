import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';
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

/** What may be asked of a list beside its page: a cursor is good for the same question only. */
interface Question {
  db: Db;
  request: Pick<FastifyRequest, 'url'>;
}

const SIGNATURE_LENGTH = 22;

/** The list that is asked for: its path and everything asked of it but the page. */
function listOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://list');
  searchParams.delete('cursor');
  searchParams.delete('limit');
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
}

async function signatureOf({ db, request }: Question, place: string): Promise<string> {
  const text = `cursor ${listOf(request.url)} ${place}`;
  const hmac = createHmac('sha256', await getSigningSecret(db)).update(text);
  return hmac.digest('base64url').slice(0, SIGNATURE_LENGTH);
}

/** The place is none of this list, or was once and leads nowhere any more. */
export const invalidCursor = () => invalid({ cursor: ['Send a cursor of this list'] });

/** A place in the list that is asked for, as text that callers hand back unread. It is signed, and good for this list alone. */
export async function encodeCursor(question: Question, place: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url');
  return (await signatureOf(question, text)) + text;
}

/** @throws 422 when the text is no cursor of the list that is asked for */
export async function decodeCursor<T extends z.ZodMiniType>(
  schema: T,
  cursor: string | undefined,
  question: Question,
): Promise<z.output<T> | null> {
  if (cursor === undefined) return null;
  const text = cursor.slice(SIGNATURE_LENGTH);
  if (!isEqualConstantTime(cursor.slice(0, SIGNATURE_LENGTH), await signatureOf(question, text))) throw invalidCursor();
  // A place of a version before this one may have another shape.
  const place = z.safeParse(schema, JSON.parse(Buffer.from(text, 'base64url').toString()));
  if (!place.success) throw invalidCursor();
  return place.data;
}
