import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingRoles } from '#server/platform/db/schema.ts';
import { getParts, tellPerformer, type RequestRow } from '../casting/rows.ts';
import { deleteNotifications } from '../notifications/store.ts';

const HOUR_MS = 3_600_000;
/** Hours before a deadline at which its performer is reminded. */
const REMINDER_HOURS = [24, 2];
const BATCH_SIZE = 50;

const { id, performerId, deadlineAt, askedAt, remindedUntil } = auditionRequests;
const { roleId, confirmedAt, declinedAt, announcedAt, answeredAt, withdrawnAt } = auditionRequests;

/** Reminders that would have come before are not wanted: the last one, the last move of the deadline, the request or the yes came later. */
const handledUntil = sql`greatest(${remindedUntil}, ${askedAt}, ${confirmedAt})`;

/** The request of a later round that has taken the place of one, which a withdrawn one does not. */
function findLater(tx: Db) {
  const later = alias(auditionRequests, 'later');
  return tx
    .select()
    .from(later)
    .where(and(eq(later.previousId, id), eq(later.roleId, roleId), isNull(later.withdrawnAt)));
}

/** Locks requests whose performer is to be reminded now. Those that somebody changes at the moment are left to the next run. */
function lockDue(tx: Db, now: Date): Promise<{ request: RequestRow }[]> {
  const isDue = REMINDER_HOURS.map((hours) =>
    and(
      lte(deadlineAt, new Date(now.getTime() + hours * HOUR_MS)),
      sql`${deadlineAt} - make_interval(hours => ${hours}) > ${handledUntil}`,
    ),
  );
  return tx
    .select({ request: auditionRequests })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(
      and(
        gt(deadlineAt, now),
        or(...isDue),
        isNotNull(performerId),
        isNull(withdrawnAt),
        isNull(announcedAt),
        isNull(answeredAt),
        notExists(findLater(tx)),
        or(isNull(declinedAt), gte(confirmedAt, declinedAt)),
        eq(castingRoles.status, 'open'),
      ),
    )
    .orderBy(asc(deadlineAt), asc(id))
    .limit(BATCH_SIZE)
    .for('no key update', { of: auditionRequests, skipLocked: true });
}

/** Reminds the performers of one batch, in one transaction with the note that they were. @returns how many requests it has dealt with */
async function remindSome(tx: Db, now: Date): Promise<number> {
  const due = (await lockDue(tx, now)).map(({ request }) => request);
  const parts = await getParts(
    tx,
    due.map((request) => request.roleId),
  );
  const changes = new ChangeLog();
  for (const request of due) {
    // One that was not read would only be changed, and nobody would hear of it.
    await deleteNotifications(tx, changes, { type: 'audition.reminder', subjectId: request.id });
    await tellPerformer(tx, changes, 'audition.reminder', { request, part: parts.get(request.roleId)!, now });
  }
  // Not by `changeRequest`: nothing changes that either side reads.
  if (due.length > 0) {
    const ids = due.map((request) => request.id);
    await tx.update(auditionRequests).set({ remindedUntil: now }).where(inArray(id, ids));
  }
  await changes.flush(tx, now);
  return due.length;
}

/**
 * Reminds performers a day and two hours before a deadline, unless they have declined, announced a tape, were answered or were asked again in
 * a later round. After a longer pause of the server they get one reminder, not two. Killed at any point, it reminds of each deadline at most
 * once for each of the two times.
 */
export async function remindPerformers(db: Db, now: Date): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) count = await db.transaction((tx) => remindSome(tx, now));
}
