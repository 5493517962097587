import { and, asc, between, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import {
  type DayEdit,
  isSameDay,
  mergeDay,
  NOT_STATED,
  type StoredDay,
  toDayId,
} from '#contract/casting/availability.ts';
import type { DayRecord } from '#contract/records/availability.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { auditionRequests, availabilityDays } from '#server/platform/db/schema.ts';
import { parseId } from '#server/platform/http/ids.ts';

export type DayRow = typeof availabilityDays.$inferSelect;

const toStored = (row: DayRow | undefined): StoredDay =>
  row === undefined
    ? { ...NOT_STATED, other: null }
    : {
        state: row.state,
        note: row.note,
        request_id: row.requestId === null ? null : String(row.requestId),
        expires_at: row.expiresAt?.toISOString() ?? null,
        other: row.other,
      };

export const presentDay = (row: DayRow): DayRecord => ({
  id: toDayId(row.date),
  date: row.date,
  ...toStored(row),
  version: row.version,
  updated_at: row.updatedAt.toISOString(),
});

/** The days of a person from one to another, both included. */
export const listDaysOf = (db: Db, userId: number, from: string, to: string): Promise<DayRow[]> =>
  db
    .select()
    .from(availabilityDays)
    .where(and(eq(availabilityDays.userId, userId), between(availabilityDays.date, from, to)))
    .orderBy(asc(availabilityDays.date));

/** Everything that a person has said about their days. */
export const listAllDays = (db: Db, userId: number): Promise<DayRow[]> =>
  db
    .select()
    .from(availabilityDays)
    .where(
      and(
        eq(availabilityDays.userId, userId),
        or(isNotNull(availabilityDays.state), isNotNull(availabilityDays.other)),
      ),
    )
    .orderBy(asc(availabilityDays.date));

/** '20270118' → '2027-01-18' */
const toDate = (id: string): string => id.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/** The days of a person with these ids. */
export const findDays = (db: Db, userId: number, ids: readonly string[]): Promise<DayRow[]> =>
  db
    .select()
    .from(availabilityDays)
    .where(and(eq(availabilityDays.userId, userId), inArray(availabilityDays.date, ids.map(toDate))));

/** Of these ids, those of requests to this performer. A day may have waited for longer than its request lasted. */
async function findOwnRequests(db: Db, userId: number, ids: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const numbers = [...new Set(ids)].flatMap((id) => (id === null ? [] : (parseId(id) ?? [])));
  if (numbers.length === 0) return new Set();
  const { id, performerId } = auditionRequests;
  const found = await db
    .select({ id })
    .from(auditionRequests)
    .where(and(eq(performerId, userId), inArray(id, numbers)));
  return new Set(found.map((row) => String(row.id)));
}

const isSameOther = ({ other: one }: StoredDay, { other }: StoredDay): boolean =>
  one?.state === other?.state && one?.note === other?.note && (one?.expires_at ?? null) === (other?.expires_at ?? null);

const isSameStored = (one: StoredDay, other: StoredDay): boolean =>
  isSameDay(one, other) && one.request_id === other.request_id && isSameOther(one, other);

export type DatedEdit = DayEdit & { date: string };

/**
 * Stores what a device says about days, and merges it with what other devices said meanwhile.
 * @returns the days as they are now, and those of them on which two devices do not agree
 */
export async function setDays(
  tx: Db,
  changes: ChangeLog,
  userId: number,
  edits: readonly DatedEdit[],
  now: Date,
): Promise<{ days: DayRow[]; conflicts: DayRow[] }> {
  const dates = edits.map(({ date }) => date);
  // Two devices may add the same day at the same moment, and a day without a row cannot be locked.
  await lockPerson(tx, userId);
  const known = await findDays(tx, userId, dates.map(toDayId));
  const rows = new Map(known.map((row) => [row.date, row]));
  const requests = await findOwnRequests(
    tx,
    userId,
    edits.map(({ request_id }) => request_id),
  );
  const changed: DayRow[] = [];
  const conflicts: string[] = [];
  for (const { date, ...given } of edits) {
    const row = rows.get(date);
    const before = toStored(row);
    const edit = { ...given, request_id: requests.has(given.request_id ?? '') ? given.request_id : null };
    const after = mergeDay(before, edit, now.getTime());
    if (after.other !== null && !isSameOther(before, after)) conflicts.push(date);
    if (isSameStored(before, after)) continue;
    changed.push({
      userId,
      date,
      state: after.state,
      note: after.note,
      requestId: after.request_id === null ? null : Number(after.request_id),
      expiresAt: after.expires_at === null ? null : new Date(after.expires_at),
      other: after.other,
      version: (row?.version ?? 0) + 1,
      updatedAt: now,
    });
  }
  await writeDays(tx, changes, changed);
  for (const row of changed) rows.set(row.date, row);
  const find = (some: readonly string[]) => some.flatMap((date) => rows.get(date) ?? []);
  return { days: find(dates), conflicts: find(conflicts) };
}

/** Stores days of a locked person with their next version. */
export async function writeDays(tx: Db, changes: ChangeLog, days: readonly DayRow[]): Promise<void> {
  if (days.length === 0) return;
  const { state, note, requestId, expiresAt, other, version, updatedAt } = availabilityDays;
  const given = (column: { name: string }) => sql.raw(`excluded.${column.name}`);
  await tx
    .insert(availabilityDays)
    .values([...days])
    .onConflictDoUpdate({
      target: [availabilityDays.userId, availabilityDays.date],
      set: {
        state: given(state),
        note: given(note),
        requestId: given(requestId),
        expiresAt: given(expiresAt),
        other: given(other),
        version: given(version),
        updatedAt: given(updatedAt),
      },
    });
  for (const { userId, date } of days) changes.recordChange(userId, 'availability', toDayId(date), null);
}
