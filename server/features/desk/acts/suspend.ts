import { and, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { isOpen } from '#server/platform/access/open-conversations.ts';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { conversations, restrictions, users } from '#server/platform/db/schema.ts';
import { conflict, forbidden, invalid } from '#server/platform/http/errors.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob, UNLIMITED_TRIES } from '#server/platform/jobs/kinds.ts';
import { conversationChannel } from '#server/platform/live/names.ts';
import { isMember } from '#server/features/chat/participants.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { MODERATION_LIFTED } from '#server/features/mail/templates/moderation-lifted.ts';
import { MODERATION_SUSPENDED } from '#server/features/mail/templates/moderation-suspended.ts';
import { addRestriction, liftRestriction } from '../restrictions.ts';
import type { Act } from './kind.ts';
import { lockPersonRow, lockShutOut, type UserRow } from './people.ts';

/** Ends a suspension at its time. */
export const SUSPENSION_ENDED = defineJob({
  name: 'suspension.ended',
  payload: z.object({ act: z.int() }),
  tries: UNLIMITED_TRIES,
});

/** Closes the live channels that the person shares with others. The person's own stays open: they may read. */
async function closeSharedChannels(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  const open = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(isMember(userId), isOpen));
  for (const { id } of open) changes.revokeFromChannel(userId, conversationChannel(id));
}

async function lift(tx: Db, changes: ChangeLog, user: UserRow, actId: number, now: Date): Promise<void> {
  await liftRestriction(tx, actId, now);
  // An account that is being removed stays so, and nothing in it opens again.
  if (user.state === 'suspended') {
    await tx.update(users).set({ state: 'active' }).where(eq(users.id, user.id));
    await queueMail(tx, MODERATION_LIFTED, {}, { userId: user.id, address: user.email }, now);
  }
  await updateWithholding(tx, changes, user.id);
}

/** Suspends a person: they may read, but not write, and others do not see them. */
export const suspend: Act = {
  async apply({ tx, changes, actor, actId, target, reason, words, until, now }) {
    if (until !== null && until <= now) throw invalid({ until: ['Choose a time that is still to come'] });
    if (until === null && actor.role !== 'operator') {
      throw forbidden('Only an operator can suspend somebody without an end. Choose a number of days');
    }
    const user = await lockShutOut(tx, actor, target.id);
    if (user.state !== 'active') throw conflict('This account is suspended or removed already');
    await addRestriction(tx, {
      userId: user.id,
      kind: 'suspended',
      targetType: 'user',
      targetId: user.id,
      reason,
      words,
      until,
      actId,
      createdAt: now,
    });
    await tx.update(users).set({ state: 'suspended' }).where(eq(users.id, user.id));
    await updateWithholding(tx, changes, user.id);
    await closeSharedChannels(tx, changes, user.id);
    const params = { words, until: until?.toISOString() ?? null };
    await queueMail(tx, MODERATION_SUSPENDED, params, { userId: user.id, address: user.email }, now);
    if (until !== null)
      await addJob(tx, SUSPENSION_ENDED, { act: actId }, { delayMs: until.getTime() - now.getTime() });
    return { userId: user.id };
  },

  async undo({ tx, changes, done, now }) {
    await lift(tx, changes, await lockPersonRow(tx, done.targetId), done.id, now);
  },
};

/** Ends the suspension of an act, unless somebody has lifted it before. */
export async function endSuspension(db: Db, actId: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [restriction] = await tx.select().from(restrictions).where(eq(restrictions.actId, actId));
    if (restriction === undefined || restriction.liftedAt !== null) return;
    const [user] = await tx.select().from(users).where(eq(users.id, restriction.userId)).for('no key update');
    if (user === undefined) return;
    // Read again under the lock.
    const [current] = await tx.select().from(restrictions).where(eq(restrictions.id, restriction.id));
    if (current === undefined || current.liftedAt !== null) return;
    const changes = new ChangeLog();
    await lift(tx, changes, user, actId, now);
    await changes.flush(tx, now);
  });
}
