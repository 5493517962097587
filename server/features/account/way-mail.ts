import type { Db } from '#server/platform/db/connect.ts';
import type { Deps } from '#server/platform/deps.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import type { MailKind } from '#server/features/mail/kind.ts';
import { queueMail } from '#server/features/mail/queue.ts';

/**
 * Tells a person of a change or a use of their passkeys or recovery codes, unless they were told of many in this hour: an account can be
 * registered with somebody else's address, and these mails could fill that mailbox. Called right before the commit: what is refused must
 * not use the limit up, or the next change would go untold.
 */
export async function queueWayMail<Params extends Record<string, unknown>>(
  { sharedLimiter }: Pick<Deps, 'sharedLimiter'>,
  tx: Db,
  kind: MailKind<Params>,
  params: Params,
  to: { userId: number; address: string },
  now: Date,
): Promise<void> {
  if (await sharedLimiter.countIfLeft(LIMIT.wayMails, String(to.userId))) await queueMail(tx, kind, params, to, now);
}
