import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { mediaLink } from '#contract/records/media.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { ok } from '#server/platform/http/response.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { findOwnMedia } from './access.ts';

const HOUR_S = 60 * 60;

/** Query parameters of a signed link; `expires` is in seconds since the epoch. */
export const linkQuery = z.object({ expires: z.optional(z.string()), signature: z.optional(z.string()) });

/** When a link that is made now expires, in seconds since the epoch. */
export const getLinkExpiry = (now: Date): number => Math.floor(now.getTime() / 1000) + HOUR_S;

/** Makes a link by which anyone who has it can fetch this file until it expires. */
export async function createLink(db: Db, key: string, expires: number): Promise<string> {
  const signature = (await signLink(db, key, expires)).toString('base64url');
  return `${storagePath(key)}?expires=${expires}&signature=${signature}`;
}

async function signLink(db: Db, key: string, expires: number): Promise<Buffer> {
  return createHmac('sha256', await getSigningSecret(db))
    .update(`${key} ${expires}`)
    .digest();
}

/** Whether the request carries a valid, unexpired link to this file, issued to somebody who may fetch it. */
export async function isVouchedFor(
  db: Db,
  key: string,
  { expires = '', signature = '' }: z.output<typeof linkQuery>,
  now: Date,
): Promise<boolean> {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
  const [sent, right] = [Buffer.from(signature, 'base64url'), await signLink(db, key, Number(expires))];
  return sent.length === right.length && timingSafeEqual(sent, right);
}

/** Signed links that open an owner's private file where no token can be sent: in a player or a new tab. */
export function linkRoute(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.mediaLink,
    summary: 'A link to the file that works for an hour, for anyone who has it',
    access: requiredAccount(findOwnMedia),
    params: z.object({ id: z.string() }),
    responses: { 200: mediaLink },
    handler: async ({ db, subject: { fileKey }, now }) => {
      if (fileKey === null) throw notFound('file');
      const expires = getLinkExpiry(now);
      return ok({
        url: await createLink(db, fileKey, expires),
        expires_at: new Date(expires * 1000).toISOString(),
      });
    },
  });
}
