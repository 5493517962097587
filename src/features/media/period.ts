/** A filter by when something was added. */
export type Period = 'all' | 'today' | 'month' | 'year';

export const PERIODS: readonly { value: Period; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'today', label: 'Today' },
  { value: 'month', label: 'This Month' },
  { value: 'year', label: 'This Year' },
];

/**
 * Whether a time is in the current day, month or year, in this device's time zone. An item without a time has just been
 * added on this device and matches.
 */
export function isInPeriod(period: Period, createdAt: unknown, now: Date): boolean {
  if (period === 'all' || typeof createdAt !== 'string') return true;
  const at = new Date(createdAt);
  if (at.getFullYear() !== now.getFullYear()) return false;
  if (period === 'year') return true;
  return at.getMonth() === now.getMonth() && (period === 'month' || at.getDate() === now.getDate());
}
