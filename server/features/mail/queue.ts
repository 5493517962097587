import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { mails } from '#server/platform/db/schema.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob } from '#server/platform/jobs/kinds.ts';
import type { MailKind } from './kind.ts';

/** Sends one mail of the outbox. */
export const SEND_MAIL = defineJob({ name: 'mail.send', payload: z.object({ mail: z.int() }), tries: 15 });

export interface MailTo {
  userId: number | null;
  /** Null if there is nobody to send it to: the same work is done, but no mail is sent. */
  address: string | null;
}

/** Puts a mail into the outbox. It is sent after the transaction has committed. */
export async function queueMail<Params extends Record<string, unknown>>(
  tx: Db,
  kind: MailKind<Params>,
  params: Params,
  { userId, address }: MailTo,
  now: Date,
): Promise<void> {
  const isDropped = address === null;
  const [mail] = await tx
    .insert(mails)
    .values({
      userId,
      kind: kind.name,
      address,
      params,
      // Completed with the host when it is sent.
      messageId: `m-${randomBytes(16).toString('hex')}`,
      state: isDropped ? 'dropped' : 'queued',
      createdAt: now,
      endedAt: isDropped ? now : null,
    })
    .returning({ id: mails.id });
  await addJob(tx, SEND_MAIL, { mail: mail!.id });
}

/** Drops what still waits for a person whose account is being deleted. Afterwards nobody could tell whom it was about. */
export async function dropMailsOf(tx: Db, userId: number, now: Date): Promise<void> {
  await tx
    .update(mails)
    .set({ state: 'dropped', lastCode: 'no account', address: null, params: null, endedAt: now })
    .where(and(eq(mails.userId, userId), eq(mails.state, 'queued')));
}

/** Returns what a person's mail was about, by the request of the link in it; null if it was of another kind or sent long ago. */
export async function findMailParams<Params>(
  db: Db,
  kind: MailKind<Params>,
  { request, userId }: { request: string; userId: number },
): Promise<Params | null> {
  const [mail] = await db
    .select({ params: mails.params })
    .from(mails)
    // There is an index of each person's mails, and none of requests.
    .where(and(eq(mails.userId, userId), eq(mails.request, request), eq(mails.kind, kind.name)));
  return mail?.params == null ? null : kind.params.parse(mail.params);
}
