/** Whether `Intl` knows a time zone by this name. Offsets such as `+05:30` do not follow a region's changes of clocks, so they are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
