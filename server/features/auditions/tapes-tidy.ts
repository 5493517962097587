import { and, asc, eq, sql } from 'drizzle-orm';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, auditionTapes, castingRoles, users } from '#server/platform/db/schema.ts';
import { lockRequest } from '../casting/rows.ts';
import { removeTapes } from '../casting/tape-rows.ts';

const DAY_MS = 86_400_000;
/** Days that tapes are kept after the last answer, for adults and for people under 18. */
const KEPT_DAYS = { adult: 180, minor: 90 } as const;
const BATCH_SIZE = 50;

/** When the last word about a request was said: its last answer or its withdrawal, or else the end of its role. Null while it is open. */
const lastWord = sql`coalesce(
  greatest(${auditionRequests.withdrawnAt}, (${auditionRequests.answers} -> -1 ->> 'at')::timestamptz),
  ${castingRoles.endedAt})`;

const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString();

/** When a tape of a request was last sent: one that came after the last word has not been answered, and is kept as long as any. */
const lastTape = sql`(select max(greatest(${auditionTapes.announcedAt}, ${auditionTapes.arrivedAt}))
  from ${auditionTapes} where ${auditionTapes.requestId} = ${auditionRequests.id})`;

/** The requests whose tapes have been kept for long enough. @param id only this one */
async function findEnded(db: Db, now: Date, id?: number): Promise<number[]> {
  const before = sql`case when ${users.isMinor} then ${daysBefore(now, KEPT_DAYS.minor)}::timestamptz
    else ${daysBefore(now, KEPT_DAYS.adult)}::timestamptz end`;
  const rows = await db
    .select({ id: auditionRequests.id })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .innerJoin(users, eq(users.id, auditionRequests.performerId))
    .where(
      and(
        sql`${lastWord} < ${before} and ${lastTape} < ${before}`,
        id === undefined ? undefined : eq(auditionRequests.id, id),
      ),
    )
    .orderBy(asc(auditionRequests.id))
    .limit(BATCH_SIZE);
  return rows.map(({ id }) => id);
}

/** Deletes tapes some months after the last word about them. That they were sent, and what was answered, stays. */
export async function deleteOldTapes(db: Db, now: Date): Promise<void> {
  for (;;) {
    const ended = await findEnded(db, now);
    for (const id of ended) {
      await db.transaction(async (tx) => {
        const changes = new ChangeLog();
        await lockRequest(tx, id);
        // A tape or an answer may have come meanwhile.
        for (const still of await findEnded(tx, now, id)) await removeTapes(tx, changes, [still]);
        await changes.flush(tx, now);
      });
    }
    if (ended.length < BATCH_SIZE) return;
  }
}
