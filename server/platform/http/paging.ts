import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';
import { invalid } from './errors.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** Query parameters of a paged list. */
export const pageQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(500, { error: 'Send a cursor of this list' }))),
  limit: z._default(
    z.pipe(
      z.string({ error: 'Use a whole number' }).check(z.regex(/^\d{1,6}$/, { error: 'Use a whole number' })),
      z.transform((text) => Math.min(MAX_LIMIT, Math.max(1, Number(text)))),
    ),
    DEFAULT_LIMIT,
  ),
});

/** The request for a list. A cursor is valid only for the same path and filters. */
interface ListRequest {
  db: Db;
  request: Pick<FastifyRequest, 'url'>;
}

const SIGNATURE_LENGTH = 22;

/** Identifies a list: its path and query without the paging parameters. */
function toListKey(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://list');
  searchParams.delete('cursor');
  searchParams.delete('limit');
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
}

async function sign({ db, request }: ListRequest, position: string): Promise<string> {
  const text = `cursor ${toListKey(request.url)} ${position}`;
  const hmac = createHmac('sha256', await getSigningSecret(db)).update(text);
  return hmac.digest('base64url').slice(0, SIGNATURE_LENGTH);
}

/** The cursor belongs to another list or to an outdated version of this one. */
export const invalidCursor = () => invalid({ cursor: ['Send a cursor of this list'] });

/** Encodes a position in a list as an opaque, signed cursor that is valid for this list only. */
export async function encodeCursor(list: ListRequest, position: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return (await sign(list, text)) + text;
}

/** Decodes a cursor; null without one. @throws 422 when it does not belong to this list */
export async function decodeCursor<T extends z.ZodMiniType>(
  schema: T,
  cursor: string | undefined,
  list: ListRequest,
): Promise<z.output<T> | null> {
  if (cursor === undefined) return null;
  const text = cursor.slice(SIGNATURE_LENGTH);
  if (!isEqualConstantTime(cursor.slice(0, SIGNATURE_LENGTH), await sign(list, text))) throw invalidCursor();
  // An older version of the server may have encoded a position of another shape.
  const position = z.safeParse(schema, JSON.parse(Buffer.from(text, 'base64url').toString()));
  if (!position.success) throw invalidCursor();
  return position.data;
}
