/** Whether a performer is free on a day. Dates are calendar days (YYYY-MM-DD) of no time zone; moments are ISO text. Pure, for both sides. */

export const DAY_STATES = { free: 'Free', pencilled: 'Pencilled', held: 'Held', booked: 'Booked' } as const;
export type DayState = keyof typeof DAY_STATES;

/** Of two different states that two devices gave one day, the later one of this list is kept. */
const STRENGTH: readonly (DayState | null)[] = [null, 'free', 'pencilled', 'held', 'booked'];

/** States that may end by themselves. */
export const MAY_EXPIRE: readonly (DayState | null)[] = ['pencilled', 'held'];

/** What a performer says about a day. Without a state, nothing is said, and the rest is null too. */
export interface DayValue {
  state: DayState | null;
  note: string | null;
  /** The audition that the day is kept for. */
  request_id: string | null;
  /** When a pencilled or held day is no longer one. */
  expires_at: string | null;
}

export const NOT_STATED: DayValue = { state: null, note: null, request_id: null, expires_at: null };

/** What another device said about a day and was not kept. Without an end, `expires_at` is absent. */
export type OtherVersion = Pick<DayValue, 'state' | 'note'> & { expires_at?: string | null | undefined };

/** A day as it is stored. `other`: two devices said different things, and the performer has not looked at it yet. */
export type StoredDay = DayValue & { other: OtherVersion | null };

/** What a device says about a day. */
export interface DayEdit extends DayValue {
  /** What the device knew of the day before; null: nothing was said. */
  base: DayValue | null;
  /** Whether the performer saw there that two devices had said different things. */
  looked?: boolean | undefined;
}

/** The part of a record that says something. */
export const toValue = ({ state, note, request_id, expires_at }: DayValue): DayValue =>
  state === null ? NOT_STATED : { state, note, request_id, expires_at };

/** What is said about a day at a moment, ms since 1970: an expired day says nothing. */
export const getCurrent = (value: DayValue, now: number): DayValue =>
  value.expires_at !== null && Date.parse(value.expires_at) <= now ? NOT_STATED : toValue(value);

/** Whether two devices say the same. For which audition a day is kept can be lost with that audition, so it does not count. */
export const isSameDay = (one: DayValue, other: DayValue): boolean =>
  one.state === other.state && one.note === other.note && one.expires_at === other.expires_at;

const isStronger = (one: Pick<DayValue, 'state'>, other: Pick<DayValue, 'state'>): boolean =>
  STRENGTH.indexOf(one.state) > STRENGTH.indexOf(other.state);

/** One of the details of two equal states: that of the device which changed it. Undefined if both did. */
function mergeDetail(base: string | null, mine: string | null, theirs: string | null): string | null | undefined {
  if (mine === theirs || mine === base) return theirs;
  return theirs === base ? mine : undefined;
}

const toOther = ({ state, note, expires_at }: DayValue): OtherVersion => ({
  state,
  note,
  ...(expires_at !== null && { expires_at }),
});

/** Merges two versions of a day of which neither device knew the other's. */
function mergeChanges(base: DayValue, mine: DayValue, theirs: DayValue): StoredDay {
  if (mine.state !== theirs.state) {
    const [kept, lost] = isStronger(mine, theirs) ? [mine, theirs] : [theirs, mine];
    return { ...kept, other: toOther(lost) };
  }
  const note = mergeDetail(base.note, mine.note, theirs.note);
  const expires_at = mergeDetail(base.expires_at, mine.expires_at, theirs.expires_at);
  if (note === undefined || expires_at === undefined) return { ...theirs, other: toOther(mine) };
  return { ...theirs, request_id: theirs.request_id ?? mine.request_id, note, expires_at, other: null };
}

/**
 * What a stored day becomes when a device sends what its performer said. If nobody else changed the day, it is what they said. Otherwise the
 * stronger state is kept, and the other version beside it until the performer has looked at it: nothing that either device said is lost.
 * Of three devices, the version that came last stands beside the one that was kept.
 * @param now ms since 1970
 */
export function mergeDay(stored: StoredDay, edit: DayEdit, now: number): StoredDay {
  const base = getCurrent(edit.base ?? NOT_STATED, now);
  const mine = getCurrent(edit, now);
  const theirs = getCurrent(stored, now);
  const known = edit.looked === true ? null : stored.other;
  if (isSameDay(base, theirs)) return { ...mine, other: known };
  if (isSameDay(mine, theirs) || isSameDay(mine, base)) return { ...theirs, other: known };
  const merged = mergeChanges(base, mine, theirs);
  return { ...merged, other: merged.other ?? known };
}

const DAY_MS = 86_400_000;

const toTime = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Later days have years of five digits, which do not sort as text. */
const LAST_TIME = toTime('9999-12-31');

/** The day that is so many days later, but none after the year 9999. */
export const addDays = (date: string, days: number): string =>
  new Date(Math.min(toTime(date) + days * DAY_MS, LAST_TIME)).toISOString().slice(0, 10);

/** All days from one to another, both included, but no more than `max`. */
export function listDays(from: string, to: string, max = Infinity): string[] {
  const count = Math.max(0, Math.round((toTime(to) - toTime(from)) / DAY_MS) + 1);
  return Array.from({ length: Math.min(count, max) }, (_, n) => addDays(from, n));
}

/** The id of a day's record: the day without hyphens. */
export const toDayId = (date: string): string => date.replaceAll('-', '');

/** A project may name the days of its shoot by their first and last. Longer ones clash with what is in the first months. */
const MAX_SHOOT_DAYS = 400;

interface Shoot {
  shoot_dates?: readonly string[] | undefined;
  project: { shoot_from: string | null; shoot_to: string | null };
}

/** The days on which a role is shot: those that the request names, or else those of the project. */
export function getShootDates({ shoot_dates = [], project: { shoot_from, shoot_to } }: Shoot): string[] {
  if (shoot_dates.length > 0) return shoot_dates.toSorted();
  const [from, to] = [shoot_from ?? shoot_to, shoot_to ?? shoot_from];
  return from === null || to === null ? [] : listDays(from, to, MAX_SHOOT_DAYS);
}

/** Whether somebody who asks for this day gets no plain yes: it is pencilled, held or booked for something else. */
export const isTaken = ({ state, request_id }: Pick<DayValue, 'state' | 'request_id'>, requestId: string): boolean =>
  state !== null && state !== 'free' && request_id !== requestId;
