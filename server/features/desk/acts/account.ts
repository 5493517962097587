import { count, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { REMOVAL_DAYS } from '#contract/desk-acts.ts';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import { passkeys, users } from '#server/platform/db/schema.ts';
import { conflict, invalid, unprocessable } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob, UNLIMITED_TRIES } from '#server/platform/jobs/kinds.ts';
import { removePerson } from '#server/features/account/remove.ts';
import { endAllSessions } from '#server/features/account/store.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { ACCOUNT_DELETED } from '#server/features/mail/templates/account-deleted.ts';
import { MODERATION_KEPT } from '#server/features/mail/templates/moderation-kept.ts';
import { MODERATION_LIFTED } from '#server/features/mail/templates/moderation-lifted.ts';
import { MODERATION_REMOVED } from '#server/features/mail/templates/moderation-removed.ts';
import { RESET } from '#server/features/mail/templates/reset.ts';
import { findAct, isUndone } from '../log.ts';
import type { Act, ActContext } from './kind.ts';
import { lockConcerned, lockPersonRow, lockShutOut, type UserRow } from './people.ts';

/** Deletes an account some days after it was removed at the desk. */
export const REMOVE_ACCOUNT = defineJob({
  name: 'account.remove',
  payload: z.object({ act: z.int() }),
  tries: UNLIMITED_TRIES,
});

const DAY_MS = 24 * 60 * 60_000;
export const getRemovalTime = (at: Date): Date => new Date(at.getTime() + REMOVAL_DAYS * DAY_MS);

/** Signs a person out on all devices. */
export const endSessions: Act = {
  async apply({ tx, changes, actor, target }) {
    const user = await lockConcerned(tx, actor, target.id);
    await endAllSessions(tx, changes, user.id);
    return { userId: user.id };
  },
};

/** Sends a person the link for a new password. */
export const sendReset: Act = {
  async apply({ tx, actor, target, now, limiter }) {
    const user = await lockConcerned(tx, actor, target.id);
    await limiter.take(LIMIT.resetsOfAddress, user.email);
    await queueMail(tx, RESET, {}, { userId: user.id, address: user.email }, now);
    return { userId: user.id };
  },
};

/** Closes an account at once, and deletes it some days later. */
export const removeAccount: Act = {
  async apply({ tx, changes, actor, actId, target, words, typedName, now }) {
    const user = await lockShutOut(tx, actor, target.id);
    if (user.state === 'removing') throw conflict('This account is being removed already');
    if (typedName.trim() !== user.name) throw invalid({ name: [`Type the name as it is shown: ${user.name}`] });
    await tx.update(users).set({ state: 'removing' }).where(eq(users.id, user.id));
    await updateWithholding(tx, changes, user.id);
    await endAllSessions(tx, changes, user.id);
    const at = getRemovalTime(now);
    await addJob(tx, REMOVE_ACCOUNT, { act: actId }, { delayMs: at.getTime() - now.getTime() });
    const params = { words, at: at.toISOString() };
    await queueMail(tx, MODERATION_REMOVED, params, { userId: user.id, address: user.email }, now);
    return { userId: user.id };
  },

  async undo({ tx, changes, done, now }) {
    const user = await lockPersonRow(tx, done.targetId);
    if (user.state !== 'removing') throw conflict('This account is not being removed');
    // A suspension from before goes on, unless it has ended meanwhile.
    const suspension = await findRestriction(tx, 'user', user.id);
    const state = suspension === null ? 'active' : 'suspended';
    await tx.update(users).set({ state }).where(eq(users.id, user.id));
    await updateWithholding(tx, changes, user.id);
    const to = { userId: user.id, address: user.email };
    if (suspension === null) await queueMail(tx, MODERATION_LIFTED, {}, to, now);
    else await queueMail(tx, MODERATION_KEPT, { until: suspension.until?.toISOString() ?? null }, to, now);
  },
};

/** Deletes the account that an act removed, unless the act was undone. */
export async function finishRemoval(db: Db, actId: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const act = await findAct(tx, actId);
    if (act === null) return;
    const [user] = await tx.select().from(users).where(eq(users.id, act.targetId)).for('update');
    if (user?.state !== 'removing' || (await isUndone(tx, actId))) return;
    const changes = new ChangeLog();
    await removePerson(tx, changes, user.id, now);
    await queueMail(tx, ACCOUNT_DELETED, { name: user.name }, { userId: null, address: user.email }, now);
    await changes.flush(tx, now);
  });
}

async function setRole(tx: Db, user: UserRow, role: UserRow['role']): Promise<void> {
  await tx.update(users).set({ role }).where(eq(users.id, user.id));
}

const changeRole = (from: UserRow['role'], to: UserRow['role'], refusal: string): Act => ({
  async apply({ tx, actor, target }: ActContext) {
    const user = await lockConcerned(tx, actor, target.id);
    if (user.role !== from) throw conflict(refusal);
    const [own] = await tx.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, user.id));
    if (to === 'moderator' && own?.count === 0) {
      throw unprocessable('This person has no passkey yet, without which the desk does not open');
    }
    await setRole(tx, user, to);
    return { userId: user.id, before: { role: from } };
  },
  async undo({ tx, actor, done }) {
    const user = await lockConcerned(tx, actor, done.targetId);
    if (user.role !== to) throw conflict('The role of this person has been changed since');
    await setRole(tx, user, from);
  },
});

export const makeModerator = changeRole('person', 'moderator', 'This person works at the desk already');
export const unmakeModerator = changeRole('moderator', 'person', 'This person is no moderator');
