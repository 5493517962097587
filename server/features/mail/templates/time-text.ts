/** A date and time in words, in the time zone of the reader if it is known. */
export function toTimeText(at: string, timeZone: string | null = null): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: zone }).format(new Date(at));
  if (timeZone === null) return `${format('UTC')} UTC`;
  return format(timeZone);
}
