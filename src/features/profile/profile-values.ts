import { LIMITS } from '#contract/limits.ts';
import type { AnyRow } from '#contract/section.ts';
import type { Span } from '#lib/span.ts';
import type { FormValues } from '#shared/forms/form-values.ts';

const TEXTS = ['stage_name', 'title', 'location', 'dob'] as const;

function personsName({ user }: AnyRow): string {
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : null;
  return typeof name === 'string' ? name : '';
}

/** The inputs of Edit Profile. Without a stage name it offers the person's own. */
export function profileValues(body: AnyRow): FormValues {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, text(body[key])])),
    stage_name: text(body.stage_name) || personsName(body),
    profile_industry_id: text(body.profile_industry_id),
    per_day: typeof body.per_day === 'number' ? body.per_day.toLocaleString('en-IN') : text(body.per_day),
    min_age_range: text(body.min_age_range),
    max_age_range: text(body.max_age_range),
  };
}

/** The wage as a number; grouping commas, spaces and the rupee sign are how people write it. Anything else stays as typed. */
function amount(typed: string): unknown {
  const plain = typed.replace(/[\s,₹]/g, '');
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

const age = (typed = ''): number | null => (typed === '' ? null : Number(typed));

/** What Edit Profile holds, in the types of the wire. Not checked yet. */
export function profileRow(values: FormValues): AnyRow {
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, values[key] ?? ''])),
    profile_industry_id: values['profile_industry_id'] || null,
    per_day: amount(values['per_day'] ?? ''),
    min_age_range: age(values['min_age_range']),
    max_age_range: age(values['max_age_range']),
  };
}

/** How far a suggested playing age reaches to either side of a person's own, in years. */
const REACH_YEARS = 4;

/**
 * The playing age that a date of birth suggests; it is the person's to take or leave.
 * @param dob YYYY-MM-DD, or anything else while it is being typed
 * @param today YYYY-MM-DD
 * @returns null without a date that somebody can have been born on
 */
export function suggestedAges(dob: string, today: string): Span | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dob) || dob > today) return null;
  const hadBirthday = today.slice(5) >= dob.slice(5);
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4)) - (hadBirthday ? 0 : 1);
  if (years > LIMITS.ageMax) return null;
  const low = Math.max(LIMITS.ageMin, Math.min(years - REACH_YEARS, LIMITS.ageMax - LIMITS.ageGap));
  return { low, high: Math.min(LIMITS.ageMax, Math.max(years + REACH_YEARS, low + LIMITS.ageGap)) };
}
