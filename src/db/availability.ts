import { type DayEdit, type DayValue, type OtherVersion, toDayId, toValue } from '#contract/casting/availability.ts';
import type { DayRecord } from '#contract/records/availability.ts';
import { getSaveState } from './apply-pending.ts';
import type { AccountDb } from './database.ts';
import { getRoleTitle } from './casting.ts';
import { findRecord, listRecords } from './mirror.ts';
import { hasEffect } from './patches.ts';
import type { OutboxRow } from './rows.ts';
import type { SaveState } from './views.ts';

/** The person's days with what waits on this device. Nothing here is part of what every start loads. */

/** What changes of days are about: all of them share one lane. */
export const CALENDAR = { type: 'availability', target: 'days' } as const;

export type DatedEdit = DayEdit & { date: string };

/** A day for display: what the server said last, with what waits over it. */
export interface DayView {
  date: string;
  value: DayValue;
  /** What another device said and was not kept, until the person has looked at it. */
  other: OtherVersion | null;
  state: SaveState;
  /** The change that waits. */
  op?: string;
}

/** The days that a row is about. */
export const getDays = (row: OutboxRow): DatedEdit[] =>
  hasEffect(row, 'act') && row.patch.act === 'set' ? (row.patch.fields.days as DatedEdit[]) : [];

/** What the server said last about a day; null if it said nothing. */
export const findDay = async (db: AccountDb, date: string): Promise<DayRecord | null> =>
  (await findRecord(db, CALENDAR.type, toDayId(date)))?.body ?? null;

/** Puts what waits over the days that the server knows. Pure. @param rows in `seq` order */
export function applyDays(records: readonly DayRecord[], rows: readonly OutboxRow[]): Map<string, DayView> {
  const days = new Map<string, DayView>(
    records.map((day) => [day.date, { date: day.date, value: toValue(day), other: day.other, state: 'saved' }]),
  );
  for (const row of rows) {
    for (const { date, looked, ...edit } of getDays(row)) {
      const other = looked ? null : (days.get(date)?.other ?? null);
      days.set(date, { date, value: toValue(edit), other, state: getSaveState(row), op: row.op });
    }
  }
  return days;
}

export interface Calendar {
  /** The days about which something is said, waits or is to be looked at, in order. */
  days: DayView[];
  /** Names of the auditions for which days are kept, by id. */
  auditions: ReadonlyMap<string, string>;
  /** What has to be added to this device's clock to get the server's, ms. */
  clockOffset: number;
}

/** The person's days from one to another, both included. */
export const readCalendar = (db: AccountDb, from: string, to: string): Promise<Calendar> =>
  db.transaction('r', [db.records, db.outbox, db.meta], async () => {
    const records = await listRecords(db, CALENDAR.type, toDayId(from), toDayId(to));
    const rows = await db.outbox.where('lane').equals(`${CALENDAR.type}:${CALENDAR.target}`).sortBy('seq');
    const all = applyDays(
      records.map(({ body }) => body),
      rows,
    );
    const days = [...all.values()]
      .filter(({ value, other, state }) => value.state !== null || other !== null || state !== 'saved')
      .filter(({ date }) => date >= from && date <= to)
      .sort((a, b) => a.date.localeCompare(b.date));
    const ids = new Set(days.flatMap(({ value }) => value.request_id ?? []));
    const auditions = new Map<string, string>();
    for (const id of ids) {
      const audition = (await findRecord(db, 'audition', id))?.body;
      if (audition) auditions.set(id, getRoleTitle(audition.role, audition.project));
    }
    const clock = await db.meta.get('clock');
    return { days, auditions, clockOffset: clock?.k === 'clock' ? clock.offset : 0 };
  });
