import { LIMITS } from '#contract/limits.ts';
import type { AnyRow } from '#contract/section.ts';
import type { Span } from '#lib/span.ts';
import type { FormValues } from '#shared/forms/form-values.ts';

const TEXT_FIELDS = ['stage_name', 'title', 'location', 'dob'] as const;

function getUserName({ user }: AnyRow): string {
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : null;
  return typeof name === 'string' ? name : '';
}

/** Converts a stored profile to the form values of Edit Profile. Without a stage name, the user's name is the default. */
export function toProfileValues(body: AnyRow): FormValues {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return {
    ...Object.fromEntries(TEXT_FIELDS.map((key) => [key, text(body[key])])),
    stage_name: text(body.stage_name) || getUserName(body),
    profile_industry_id: text(body.profile_industry_id),
    per_day: typeof body.per_day === 'number' ? body.per_day.toLocaleString('en-IN') : text(body.per_day),
    min_age_range: text(body.min_age_range),
    max_age_range: text(body.max_age_range),
  };
}

/** Parses a day rate, accepting grouping commas, spaces and the rupee sign. Returns anything else as typed, for validation. */
function parseAmount(typed: string): unknown {
  const plain = typed.replace(/[\s,₹]/g, '');
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

const parseAge = (typed = ''): number | null => (typed === '' ? null : Number(typed));

/** Converts the form values of Edit Profile to the types of the API, without validating them. */
export function toProfileRow(values: FormValues): AnyRow {
  return {
    ...Object.fromEntries(TEXT_FIELDS.map((key) => [key, values[key] ?? ''])),
    profile_industry_id: values['profile_industry_id'] || null,
    per_day: parseAmount(values['per_day'] ?? ''),
    min_age_range: parseAge(values['min_age_range']),
    max_age_range: parseAge(values['max_age_range']),
  };
}

/** A suggested playing age spans this many years to either side of the person's age. */
const MARGIN_YEARS = 4;

/**
 * Suggests a playing age from a date of birth.
 * @param dob YYYY-MM-DD, or anything else while it is being typed
 * @param today YYYY-MM-DD
 * @returns ages in years; null if `dob` is not a possible date of birth
 */
export function suggestPlayingAge(dob: string, today: string): Span | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dob) || dob > today) return null;
  const hadBirthday = today.slice(5) >= dob.slice(5);
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4)) - (hadBirthday ? 0 : 1);
  if (years > LIMITS.ageMax) return null;
  const low = Math.max(LIMITS.ageMin, Math.min(years - MARGIN_YEARS, LIMITS.ageMax - LIMITS.ageRangeMin));
  return { low, high: Math.min(LIMITS.ageMax, Math.max(years + MARGIN_YEARS, low + LIMITS.ageRangeMin)) };
}
