import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';
import type { AnyRow, CrossRule, Field, LinkField, NumberField, Section, TextField } from './section.ts';
import { codePoints } from './text.ts';

/**
 * Builds a schema for a trimmed text of at most `max` code points. It refuses NUL because PostgreSQL cannot store it.
 * @param options `missing`: the message for an empty text; without it, an empty text is accepted
 */
export function boundedText(max: number, options: { missing?: string } = {}) {
  const bounded = z.string({ error: options.missing ?? 'Use plain text' }).check(
    z.trim(),
    z.refine((value) => codePoints(value) <= max, { error: `Keep it to ${max} characters` }),
    z.refine((value) => !value.includes('\0'), { error: 'Remove the hidden character' }),
    z.refine((value) => value.isWellFormed(), { error: 'Remove the broken character' }),
  );
  return options.missing === undefined ? bounded : bounded.check(z.minLength(1, { error: options.missing }));
}

/** Whether a URL has a user before the host. `https://bank.example@evil.example` leads to a different host than it suggests. */
const hasUserInfo = (value: string) => /^[a-z]+:[/\\]*[^/?#\\]*@/i.test(value);

/** An http or https address. */
const httpUrl = z.url({ protocol: /^https?$/, error: 'Start the link with https:// or http://' }).check(
  z.maxLength(2000, { error: 'Keep the link to 2,000 characters' }),
  z.refine((value) => !/\s/.test(value), { error: 'Remove the spaces from the link' }),
  z.refine((value) => !hasUserInfo(value), { error: 'Remove what stands before the @ in the link' }),
);

const HANDLE = /^@([\w.-]{1,100})$/;
const URL_WITHOUT_SCHEME = /^([a-z0-9-]+\.)+[a-z]{2,}(:\d+)?([/?#]\S*)?$/i;

/** Completes what people type instead of a URL: `@handle`, or `example.org/me` without a scheme. */
function completeLink(field: LinkField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const typed = value.trim();
  const handle = HANDLE.exec(typed)?.[1];
  if (handle !== undefined && field.handleSign !== undefined) return `${field.placeholder}${field.handleSign}${handle}`;
  return URL_WITHOUT_SCHEME.test(typed) ? `https://${typed}` : typed;
}

const linkSchema = (field: LinkField) =>
  z.pipe(
    z.transform((value: unknown) => completeLink(field, value)),
    httpUrl,
  );

const emptyToNull = <T extends z.ZodMiniType>(inner: T) =>
  z.pipe(
    z.transform((value: unknown) =>
      value === '' || (typeof value === 'string' && value.trim() === '') ? null : value,
    ),
    z.nullable(inner),
  );

const FORMATS = {
  email: { pattern: /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/, error: 'Check the e-mail address' },
  phone: { pattern: /^\+?[\d\s().-]{5,}$/, error: 'Use digits and spaces, with + for a country code' },
} as const;

function textSchema(field: TextField) {
  const bounded = boundedText(field.max, field.required ? { missing: field.missing } : {});
  if (field.format === undefined) return bounded;
  const { pattern, error } = FORMATS[field.format];
  return bounded.check(z.refine((value) => value === '' || pattern.test(value), { error }));
}

/** Accepts a number, or its text with a decimal point or comma, and yields the shortest equal text: '172.5'. */
function decimalSchema(field: NumberField) {
  const digits = field.decimals === 1 ? 'one digit' : `${field.decimals} digits`;
  return z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], { error: field.missing }),
      z.transform((value) => String(value).trim().replace(',', '.')),
    ),
    z.pipe(
      z.string().check(
        z.refine((value) => /^\d{1,6}(\.\d+)?$/.test(value), { error: 'Enter a number' }),
        z.refine((value) => (value.split('.')[1]?.replace(/0+$/, '') ?? '').length <= field.decimals, {
          error: `Use at most ${digits} after the decimal point`,
        }),
        z.refine((value) => !(Number(value) <= 0), { error: 'Enter more than 0' }),
        z.refine((value) => !(Number(value) > field.max), { error: `Enter ${field.max} or less` }),
      ),
      z.transform((value) => String(Number(value))),
    ),
  );
}

/** An id on the wire: a string, or a number from a server with integer ids. Yields a string. */
export const idText = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], { error: 'Choose one from the list' }),
  z.transform((value) => String(value)),
);

const isYearAllowed = (year: number, currentYear: () => number) =>
  year >= LIMITS.yearMin && year <= currentYear() + LIMITS.yearsAhead;

/** A real calendar day, YYYY-MM-DD. */
export const calendarDay = z.string().check(
  z.refine(
    (value) => {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
      const day = new Date(`${value}T00:00:00Z`);
      return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) && value >= '1900-01-01';
    },
    { error: 'Enter a real date' },
  ),
);

function requiredSchema(field: Field, currentYear: () => number): z.ZodMiniType {
  switch (field.kind) {
    case 'text':
      return textSchema(field);
    case 'link':
      return linkSchema(field);
    case 'month':
      return z
        .int({ error: field.missing })
        .check(z.minimum(1, { error: field.missing }), z.maximum(12, { error: field.missing }));
    case 'year':
      return z.int({ error: field.missing }).check(
        z.minimum(LIMITS.yearMin, { error: `Enter ${LIMITS.yearMin} or a later year` }),
        z.refine((value) => value <= currentYear() + LIMITS.yearsAhead, {
          error: `Enter a year no more than ${LIMITS.yearsAhead} years ahead`,
        }),
      );
    case 'yearMonth':
      return z.string({ error: field.missing }).check(
        z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: field.missing }),
        z.refine((value) => isYearAllowed(Number(value.slice(0, 4)), currentYear), {
          error: `Enter a year from ${LIMITS.yearMin} to ${LIMITS.yearsAhead} years ahead`,
        }),
      );
    case 'date':
      return calendarDay;
    case 'lookup':
      return idText;
    case 'number':
      return decimalSchema(field);
    case 'flag':
      return z.boolean({ error: field.missing });
    case 'ids':
      return z.array(idText, { error: field.missing }).check(
        z.maxLength(field.max, { error: `Choose up to ${field.max}` }),
        z.refine((value) => new Set(value).size === value.length, { error: 'Choose each one only once' }),
      );
    case 'choice':
      return z.literal(
        field.options.map((option) => option.value),
        { error: field.missing },
      );
  }
}

/** Builds the schema of one field. An optional field accepts '' or null as empty and yields null. */
export function fieldSchema(field: Field, currentYear: () => number): z.ZodMiniType {
  const schema = requiredSchema(field, currentYear);
  return field.required ? schema : z.optional(emptyToNull(schema));
}

/**
 * Builds the schema of a section's whole row (the body of a create), including its cross-field rules. It drops unknown keys.
 * @param currentYear the caller's clock; it decides which years lie too far ahead
 */
export function rowSchema(section: Pick<Section, 'fields' | 'rules'>, currentYear: () => number) {
  const shape = Object.fromEntries(
    Object.entries(section.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
  );
  return z.object(shape).check(crossRules(section.rules));
}

/**
 * Builds a check that runs the cross-field rules together with the field rules, so that one response reports every error. A
 * rule runs once the fields it depends on are valid by themselves.
 * @param extent 'patch': a rule runs only when the patch names every field it depends on
 */
export function crossRules(rules: readonly CrossRule<AnyRow>[], extent: 'row' | 'patch' = 'row') {
  return z.check<AnyRow>(
    ({ issues, value }) => {
      const invalidFields = new Set(issues.map(({ path }) => path?.[0]));
      const isReady = (key: string) => !invalidFields.has(key) && (extent === 'row' || value[key] !== undefined);
      for (const { field, dependsOn: reads, check } of rules) {
        const message = reads.every(isReady) ? check(value) : null;
        if (message !== null) issues.push({ code: 'custom', message, path: [field], input: value });
      }
    },
    // Without `when`, Zod skips this check as soon as a field has the wrong type.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** Builds the schema of an update: an omitted field keeps its value. Cross-field rules need the stored row; see `checkRules`. */
export function patchSchema(section: Pick<Section, 'fields'>, currentYear: () => number) {
  const shape = Object.fromEntries(
    Object.entries(section.fields).map(([key, field]) => [key, z.optional(fieldSchema(field, currentYear))]),
  );
  return z.object(shape);
}

/** Runs the cross-field rules over a whole row. Returns field → messages, empty when all rules hold. */
export function checkRules(section: Pick<Section, 'rules'>, row: AnyRow): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const rule of section.rules) {
    const message = rule.check(row);
    if (message !== null) (errors[rule.field] ??= []).push(message);
  }
  return errors;
}

/** Converts Zod issues to the `errors` map of an error response. An issue of the body itself has the key `body`. */
export function toErrorMap(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of issues) (errors[issue.path.map(String).join('.') || 'body'] ??= []).push(issue.message);
  return errors;
}
