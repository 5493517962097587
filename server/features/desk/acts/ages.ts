import { eq } from 'drizzle-orm';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { isMinorBy } from '#server/platform/access/minors.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ageRequests } from '#server/platform/db/schema.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { changeBornOn } from '#server/features/account/age.ts';
import { hasNewerAgeRequest, type AgeRequestRow } from '#server/features/account/age-requests.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import {
  AGE_DECLINED,
  AGE_GRANTED,
  AGE_GRANTED_GUARDIAN,
  AGE_REOPENED,
} from '#server/features/mail/templates/age-decided.ts';
import type { Act, ActContext, UndoContext } from './kind.ts';
import { lockConcerned, lockPersonRow, type UserRow } from './people.ts';

async function findRequest(tx: Db, id: number): Promise<AgeRequestRow> {
  const [request] = await tx.select().from(ageRequests).where(eq(ageRequests.id, id));
  if (request === undefined) throw notFound('request');
  return request;
}

/**
 * Locks the person of a request, and then reads it: the person changes their requests only under that lock.
 * @throws 404 if it does not exist, 409 if it is not open
 */
async function lockOpenRequest({ tx, actor, target }: ActContext): Promise<{ request: AgeRequestRow; user: UserRow }> {
  const { userId } = await findRequest(tx, target.id);
  const user = await lockConcerned(tx, actor, userId);
  const request = await findRequest(tx, target.id);
  if (request.state === 'withdrawn')
    throw conflict('The person has taken this request back, or asked for another date');
  if (request.state !== 'open') throw conflict('Somebody else at the desk has just decided this');
  return { request, user };
}

/** Locks the person of a decided request for the undoing. @throws 404, or 409 if it is not decided that way or the person has asked again */
async function lockDecidedRequest(
  { tx, done }: UndoContext,
  state: 'granted' | 'declined',
): Promise<{ request: AgeRequestRow; user: UserRow }> {
  const { userId } = await findRequest(tx, done.targetId);
  const user = await lockPersonRow(tx, userId);
  const request = await findRequest(tx, done.targetId);
  if (request.state !== state) throw conflict('This request has been decided otherwise since');
  if (await hasNewerAgeRequest(tx, request)) throw conflict('The person has asked again since. Decide that request');
  return { request, user };
}

const setDecision = (tx: Db, { id }: AgeRequestRow, decision: Partial<AgeRequestRow>) =>
  tx.update(ageRequests).set(decision).where(eq(ageRequests.id, id));
const REOPENED = { state: 'open', decidedBy: null, decidedAt: null, words: null } as const;

/** Corrects the date of birth as the person asked. If they are an adult by it, the protection ends, and a guardian is told. */
export const grantAge: Act = {
  async apply(context) {
    const { tx, changes, actor, now } = context;
    const { request, user } = await lockOpenRequest(context);
    await setDecision(tx, request, { state: 'granted', decidedBy: actor.userId, decidedAt: now });
    const isAdult = !isMinorBy(request.wanted, now);
    await changeBornOn(tx, changes, user, { bornOn: request.wanted, isMinor: user.isMinor && !isAdult }, now);
    await queueMail(tx, AGE_GRANTED, { isAdult }, { userId: user.id, address: user.email }, now);
    const guardian = await findGuardian(tx, user.id);
    if (isAdult && user.isMinor && guardian !== null && guardian.email !== user.email) {
      await queueMail(tx, AGE_GRANTED_GUARDIAN, {}, { userId: user.id, address: guardian.email }, now);
    }
    return { userId: user.id, before: { is_minor: user.isMinor } };
  },

  async undo(context) {
    const { tx, changes, done, now } = context;
    const { request, user } = await lockDecidedRequest(context, 'granted');
    if (user.bornOn !== request.wanted) throw conflict('The person has corrected the date of birth since');
    await setDecision(tx, request, REOPENED);
    const isMinor = done.before?.is_minor === true;
    await changeBornOn(tx, changes, user, { bornOn: request.bornOn, isMinor }, now);
    await queueMail(tx, AGE_REOPENED, {}, { userId: user.id, address: user.email }, now);
  },
};

/** Leaves the date of birth as it is. The person reads why, and may ask again. */
export const declineAge: Act = {
  async apply(context) {
    const { tx, actor, words, now } = context;
    const { request, user } = await lockOpenRequest(context);
    await setDecision(tx, request, { state: 'declined', decidedBy: actor.userId, decidedAt: now, words });
    await queueMail(tx, AGE_DECLINED, { words }, { userId: user.id, address: user.email }, now);
    return { userId: user.id };
  },

  async undo(context) {
    const { request } = await lockDecidedRequest(context, 'declined');
    await setDecision(context.tx, request, REOPENED);
  },
};
