/** How many further days off a project may name. */
export const MAX_EXTRA_HOLIDAYS = 40;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the calendar has this day: 2027-02-30 is none. */
const isDay = (text: string): boolean => {
  const at = DAY.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

const split = (text: string | null): string[] => (text ?? '').split(/[\s,;]+/).filter((part) => part !== '');

/** The days that a project names beside public holidays, YYYY-MM-DD, from its text. What is no day is left out. */
export const readExtraHolidays = (text: string | null): string[] => split(text).filter(isDay);

/** What is wrong with the text; null if nothing. */
export function checkExtraHolidays(text: string | null): string | null {
  const parts = split(text);
  const wrong = parts.find((part) => !isDay(part));
  if (wrong !== undefined) return `“${wrong}” is no day. Write days like 2027-01-14, with commas between`;
  return parts.length > MAX_EXTRA_HOLIDAYS ? `Name up to ${MAX_EXTRA_HOLIDAYS} days` : null;
}
