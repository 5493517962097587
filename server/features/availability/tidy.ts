import { and, eq, lt, lte, type SQL } from 'drizzle-orm';
import { addDays, toDayId } from '#contract/casting/availability.ts';
import { AVAILABILITY_LIMITS } from '#contract/records/availability.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { availabilityDays } from '#server/platform/db/schema.ts';
import { writeDays } from './store.ts';

const BATCH_SIZE = 100;

interface Batch {
  tx: Db;
  changes: ChangeLog;
  userId: number;
}

/** Does something for each person who has such days, in a transaction of their own, until nobody has any. */
async function forEachPerson(db: Db, which: SQL, now: Date, work: (batch: Batch) => Promise<void>): Promise<void> {
  for (;;) {
    const found = await db
      .selectDistinct({ userId: availabilityDays.userId })
      .from(availabilityDays)
      .where(which)
      .limit(BATCH_SIZE);
    for (const { userId } of found) {
      await db.transaction(async (tx) => {
        await lockPerson(tx, userId);
        const changes = new ChangeLog();
        await work({ tx, changes, userId });
        await changes.flush(tx, now);
      });
    }
    if (found.length < BATCH_SIZE) return;
  }
}

/** Ends pencilled and held days whose time is over: nothing is said about them any more. Until then, readers evaluate the time themselves. */
export async function endExpiredDays(db: Db, now: Date): Promise<void> {
  const isExpired = lte(availabilityDays.expiresAt, now);
  await forEachPerson(db, isExpired, now, async ({ tx, changes, userId }) => {
    const rows = await tx
      .select()
      .from(availabilityDays)
      .where(and(eq(availabilityDays.userId, userId), isExpired));
    const nothing = { state: null, note: null, requestId: null, expiresAt: null, updatedAt: now };
    const ended = rows.map((row) => ({ ...row, ...nothing, version: row.version + 1 }));
    await writeDays(tx, changes, ended);
  });
}

/** Deletes days that are long past. */
export async function deletePastDays(db: Db, now: Date): Promise<void> {
  const first = addDays(now.toISOString().slice(0, 10), -AVAILABILITY_LIMITS.daysKept);
  const isPast = lt(availabilityDays.date, first);
  await forEachPerson(db, isPast, now, async ({ tx, changes, userId }) => {
    const gone = await tx
      .delete(availabilityDays)
      .where(and(eq(availabilityDays.userId, userId), isPast))
      .returning({ date: availabilityDays.date });
    for (const { date } of gone) changes.recordDeletion(userId, 'availability', toDayId(date), null);
  });
}
