import type { RequestRow } from '../casting/rows.ts';

/**
 * When the performer did something. The time of their device counts if it is possible: not before the request, and not to come. Otherwise it
 * is now.
 */
export function readTime(at: string | undefined, { askedAt }: Pick<RequestRow, 'askedAt'>, now: Date): Date {
  const given = at === undefined ? null : new Date(at);
  return given !== null && given >= askedAt && given <= now ? given : now;
}

type Said = Pick<RequestRow, 'askedAt' | 'confirmedAt' | 'declinedAt'>;

/** What a yes or a no sets; null if it changes nothing. */
interface Outcome {
  at: Date;
  /** Whether it is what the performer wants now. An answer that comes late from a device without signal may not be the last. */
  holds: boolean;
}

/**
 * Decides what a yes or a no means beside an earlier one. Each is set once, and again only after the opposite; the later of the two holds.
 * Said twice without the opposite between, it stays as it was.
 */
export function decide(row: Said, what: 'confirmed' | 'declined', at: string | undefined, now: Date): Outcome | null {
  const [same, opposite] = what === 'confirmed' ? [row.confirmedAt, row.declinedAt] : [row.declinedAt, row.confirmedAt];
  const time = readTime(at, row, now);
  if (opposite === null) return same === null ? { at: time, holds: true } : null;
  const saidNow = time.getTime() === now.getTime();
  // Whatever is said now comes after what was said before, also where the clocks of two servers differ.
  const later = saidNow && time <= opposite ? new Date(opposite.getTime() + 1) : time;
  if (same === null) return { at: later, holds: later > opposite };
  return same <= opposite && later > opposite ? { at: later, holds: true } : null;
}

/**
 * What a yes to changed notices sets: the last change that the performer has read is agreed to, and its words are those that hold from now on.
 * @param noticesAt which change they have read, as its time
 * @returns null if they have read none, or one that has changed again since
 */
export function agreeToNotices(
  { noticeChanges }: Pick<RequestRow, 'noticeChanges'>,
  noticesAt: string | undefined,
  at: Date,
): Pick<RequestRow, 'notices' | 'noticeChanges'> | null {
  const last = noticeChanges.at(-1);
  if (last === undefined || last.confirmed_at !== null || noticesAt === undefined) return null;
  if (Date.parse(last.at) !== Date.parse(noticesAt)) return null;
  // The clock of a phone may be behind: nobody agrees before the change.
  const confirmed_at = at.toISOString() > last.at ? at.toISOString() : last.at;
  return { notices: last.after, noticeChanges: [...noticeChanges.slice(0, -1), { ...last, confirmed_at }] };
}
