import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';
import type { AnyRow, CrossRule, Field, LinkField, NumberField, Section, TextField } from './section.ts';
import { codePoints } from './text.ts';

/** A trimmed text of at most `max` code points; NUL is refused because PostgreSQL cannot store it. */
export function boundedText(max: number, options: { missing?: string } = {}) {
  const bounded = z.string({ error: options.missing ?? 'Use plain text' }).check(
    z.trim(),
    z.refine((value) => codePoints(value) <= max, { error: `Keep it to ${max} characters` }),
    z.refine((value) => !value.includes('\0'), { error: 'Remove the hidden character' }),
    z.refine((value) => value.isWellFormed(), { error: 'Remove the broken character' }),
  );
  return options.missing === undefined ? bounded : bounded.check(z.minLength(1, { error: options.missing }));
}

/** Whether an address names somebody before the host: `https://bank.example@evil.example` leads elsewhere than it reads. */
const hasUserInfo = (value: string) => /^[a-z]+:[/\\]*[^/?#\\]*@/i.test(value);

/** An http or https address. */
const httpUrl = z.url({ protocol: /^https?$/, error: 'Start the link with https:// or http://' }).check(
  z.maxLength(2000, { error: 'Keep the link to 2,000 characters' }),
  z.refine((value) => !/\s/.test(value), { error: 'Remove the spaces from the link' }),
  z.refine((value) => !hasUserInfo(value), { error: 'Remove what stands before the @ in the link' }),
);

const HANDLE = /^@([\w.-]{1,100})$/;
const URL_WITHOUT_SCHEME = /^([a-z0-9-]+\.)+[a-z]{2,}(:\d+)?([/?#]\S*)?$/i;

/** What people type for an address, completed: `@handle`, and `example.org/me` without its beginning. */
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

/** A number, or its text with point or comma, kept as the shortest text that says the same: '172.5'. */
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

/** An id on the wire: text, or a number from a server that counts. */
export const idText = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], { error: 'Choose one from the list' }),
  z.transform((value) => String(value)),
);

const isYearAllowed = (year: number, currentYear: () => number) =>
  year >= LIMITS.yearMin && year <= currentYear() + LIMITS.yearsAhead;

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

/** The rule of one field. An optional one takes '' or null for empty and yields null. */
export function fieldSchema(field: Field, currentYear: () => number): z.ZodMiniType {
  const schema = requiredSchema(field, currentYear);
  return field.required ? schema : z.optional(emptyToNull(schema));
}

/**
 * The whole row of a section (what a create sends), its cross rules included. Unknown keys are dropped.
 * @param currentYear the caller's clock, so that tests and servers agree on what lies ahead
 */
export function rowSchema(section: Pick<Section, 'fields' | 'rules'>, currentYear: () => number) {
  const shape = Object.fromEntries(
    Object.entries(section.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
  );
  return z.object(shape).check(crossRules(section.rules));
}

/**
 * Asks the cross rules together with the rules of the fields, so that everything wrong is told in one go. A rule is
 * asked when the fields it reads are right by themselves.
 * @param extent of a patch: only when it names all the fields that the rule reads
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
    // Without it nothing is asked once a field is of the wrong type.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** Some fields of a row (what an update sends): a field left out stays. Cross rules need the stored row: see `checkRules`. */
export function patchSchema(section: Section, currentYear: () => number) {
  const shape = Object.fromEntries(
    Object.entries(section.fields).map(([key, field]) => [key, z.optional(fieldSchema(field, currentYear))]),
  );
  return z.object(shape);
}

/** The cross rules over a whole row: field → messages, empty when all hold. */
export function checkRules(section: Section, row: AnyRow): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const rule of section.rules) {
    const message = rule.check(row);
    if (message !== null) (errors[rule.field] ??= []).push(message);
  }
  return errors;
}

/** Zod issues as the wire's map of field to messages; an issue of the body itself is keyed `body`. */
export function toErrorMap(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of issues) (errors[issue.path.map(String).join('.') || 'body'] ??= []).push(issue.message);
  return errors;
}
