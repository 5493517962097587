import { LIMITS } from '#contract/limits.ts';
import type { AnyRow } from '#contract/section.ts';
import type { FormValues } from '#session/forms/form-values.ts';

const TEXTS = ['stage_name', 'title', 'location', 'dob'] as const;

function personsName({ user }: AnyRow): string {
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : null;
  return typeof name === 'string' ? name : '';
}

/** The inputs of Edit Profile. Without a stage name it offers the person's own. A profile without ages opens at the default span; what the sheet shows is what it saves. */
export function profileValues(body: AnyRow): FormValues {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, text(body[key])])),
    stage_name: text(body.stage_name) || personsName(body),
    profile_industry_id: text(body.profile_industry_id),
    per_day: typeof body.per_day === 'number' ? body.per_day.toLocaleString('en-IN') : text(body.per_day),
    min_age_range: text(body.min_age_range ?? LIMITS.ageDefault.min),
    max_age_range: text(body.max_age_range ?? LIMITS.ageDefault.max),
  };
}

/** The wage as a number; grouping commas, spaces and the rupee sign are how people write it. Anything else stays as typed. */
function amount(typed: string): unknown {
  const plain = typed.replace(/[\s,₹]/g, '');
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

/** What Edit Profile holds, in the types of the wire. Not checked yet. */
export function profileRow(values: FormValues): AnyRow {
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, values[key] ?? ''])),
    profile_industry_id: values['profile_industry_id'] || null,
    per_day: amount(values['per_day'] ?? ''),
    min_age_range: Number(values['min_age_range']),
    max_age_range: Number(values['max_age_range']),
  };
}
