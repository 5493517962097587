import { type DayEdit, type DayValue, isSameDay, NOT_STATED, toValue } from '#contract/casting/availability.ts';
import { AVAILABILITY_LIMITS } from '#contract/records/availability.ts';
import { CALENDAR, type DatedEdit, findDay, getDays } from '#db/availability.ts';
import type { OutboxRow } from '#db/rows.ts';
import { dayText } from '#lib/dates.ts';
import { actOnRecord } from '../operations/act.ts';
import { getRecordLane } from '../operations/operation.ts';
import { append, drop, getTables, laneRows, type OutboxPorts } from './outbox.ts';
import { isSetAside, isUnsent } from './planner.ts';

/** Rows that hold all days which anything can be said about. */
const MAX_ROWS = Math.ceil(((AVAILABILITY_LIMITS.yearsAhead + 1) * 370) / AVAILABILITY_LIMITS.daysPerRequest);

/** What the person says about a day. `looked`: they saw there that two devices had said different things. */
export type DaySetting = DayValue & Pick<DayEdit, 'looked'> & { date: string };

const isSame = (one: DayValue, other: DayValue): boolean =>
  isSameDay(one, other) && one.request_id === other.request_id;

/** 'Availability: 18 Jan 2027', 'Availability: 4 days from 18 Jan 2027' */
function getTitle(days: readonly DatedEdit[]): string {
  const [first = ''] = days.map(({ date }) => date).sort();
  return days.length === 1
    ? `Availability: ${dayText(first)}`
    : `Availability: ${days.length} days from ${dayText(first)}`;
}

/** The days of a row, without those for which the server has refused it. They would hold up all others. */
function getDaysToKeep(row: OutboxRow): DatedEdit[] {
  const refused = Object.keys(row.lastError?.errors ?? {}).map((key) => /^days\.(\d+)\./.exec(key)?.[1]);
  const days = getDays(row);
  return isSetAside(row) ? days.filter((_day, n) => !refused.includes(String(n))) : days;
}

/**
 * Queues what the person says about days. Of what has not left the device, only the last word about each day remains, with what the device knew of
 * the day before the first: so the server can tell whether another device has changed it.
 * @returns the queued change; `op` is null when nothing is left to send
 */
export async function setDays(ports: OutboxPorts, settings: readonly DaySetting[]): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const { daysPerRequest } = AVAILABILITY_LIMITS;
  const ops = Array.from({ length: MAX_ROWS }, () => chance.uuid());
  return db.transaction('rw', getTables(db), async () => {
    const rows = await laneRows(db, getRecordLane(CALENDAR));
    const open = rows.filter((row) => isUnsent(row) || isSetAside(row));
    const days = new Map(open.flatMap(getDaysToKeep).map((day) => [day.date, day]));
    const sent = rows.filter((row) => !open.includes(row)).flatMap(getDays);
    for (const { date, looked, ...value } of settings) {
      const waiting = days.get(date);
      const before = waiting ? waiting.base : (sent.findLast((day) => day.date === date) ?? (await findDay(db, date)));
      const hasLooked = looked ?? waiting?.looked;
      days.set(date, { date, ...value, base: before && toValue(before), ...(hasLooked && { looked: true }) });
    }
    for (const row of open) await drop(ports, row, 'replaced');
    const wanted = [...days.values()].filter((day) => day.looked || !isSame(day, day.base ?? NOT_STATED));
    for (let n = 0; n * daysPerRequest < wanted.length; n += 1) {
      const some = wanted.slice(n * daysPerRequest, (n + 1) * daysPerRequest);
      const patch = { act: 'set' as const, fields: { days: some }, title: getTitle(some) };
      await append(ports, actOnRecord, { op: ops[n]!, ...CALENDAR, patch });
    }
    return { op: wanted.length === 0 ? null : ops[0]! };
  });
}
