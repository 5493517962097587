import type { AnyRow, Field, Section } from '#contract/section.ts';
import { numberInWords } from '#lib/text.ts';
import { sameValue } from '#sync/conflict/merge.ts';

/** The input values of an open form, by field key. Always text, as in the inputs. */
export type FormValues = Record<string, string>;

/** The input values for a stored row; a new row starts empty. */
export function toFormValues(section: Pick<Section, 'fields'>, row: AnyRow = {}): FormValues {
  return Object.fromEntries(
    Object.keys(section.fields).map((key) => {
      const value = row[key];
      if (value === false) return [key, ''];
      return [key, value === null || value === undefined ? '' : String(value)];
    }),
  );
}

const byNumber = (a: string, b: string) => a.localeCompare(b, undefined, { numeric: true });

function parseValue(field: Field, typed: string): unknown {
  const trimmed = typed.trim();
  if (field.kind === 'flag') return trimmed !== '';
  // Sorted, so that choosing an entry and removing it again is not a change.
  if (field.kind === 'ids') return trimmed === '' ? [] : trimmed.split(',').sort(byNumber);
  if (trimmed === '') return null;
  switch (field.kind) {
    case 'month':
    case 'year':
      return Number(trimmed);
    case 'choice':
      return field.options.find((option) => String(option.value) === typed)?.value ?? typed;
    case 'number':
    case 'yearMonth':
    case 'date':
    case 'lookup':
    case 'text':
    case 'link':
      return typed;
  }
}

/**
 * Converts input values to a row, with numbers and choices in their own types and null for empty. Does not validate it.
 */
export function toRow(section: Pick<Section, 'fields'>, values: FormValues): AnyRow {
  return Object.fromEntries(
    Object.entries(section.fields).map(([key, field]) => [key, parseValue(field, values[key] ?? '')]),
  );
}

/** Returns the fields of `after` that differ from `before`; a missing field counts as empty. */
export function changedFields(before: AnyRow, after: AnyRow): AnyRow {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !sameValue(before[key], value)));
}

/** Whether the form holds values that are not stored yet. */
export function isDirty(start: FormValues, now: FormValues): boolean {
  return Object.keys(now).some((key) => (start[key] ?? '') !== now[key]);
}

/** 'Two things to fix. What you typed is safe.' or, for an empty form, 'Fill in the two required fields.' */
export function getSummaryText(count: number, values: FormValues): string {
  const isEmpty = Object.values(values).every((value) => value.trim() === '');
  if (isEmpty)
    return count === 1
      ? 'Fill in the required field.'
      : `Fill in the ${numberInWords(count).toLowerCase()} required fields.`;
  return `${numberInWords(count)} ${count === 1 ? 'thing' : 'things'} to fix. What you typed is safe.`;
}

/** Messages by field, and those for which the form has no field. */
export interface FormErrors {
  fields: Record<string, string>;
  others: string[];
}

/** Splits the server's error map by whether the form has the field. Each field keeps its first message. */
export function sortErrors(keys: readonly string[], errors: Record<string, string[]>): FormErrors {
  const sorted: FormErrors = { fields: {}, others: [] };
  for (const [field, messages] of Object.entries(errors)) {
    if (keys.includes(field)) sorted.fields[field] = messages[0] ?? 'Check this field';
    else sorted.others.push(...messages);
  }
  return sorted;
}

/** The field that gets the focus: the first invalid one in the form's order. */
export function getFirstInvalid(keys: readonly string[], errors: FormErrors): string | undefined {
  return keys.find((key) => key in errors.fields);
}
