import type { AnyRow, Field, Section } from '#contract/section.ts';
import { MONTHS } from '#contract/text.ts';
import { dayText } from './dates.ts';

/** A line of a form or a comparison: one field, or a month and its year together. */
export type LayoutPart = { kind: 'field'; key: string } | { kind: 'pair'; label: string; month: string; year: string };

/**
 * Returns the parts of a section in the order of its fields. `start_month` followed by `start_year` becomes one part.
 * Its label is that of the month without the word 'month': 'Start'.
 */
export function getLayout(section: Pick<Section, 'fields'>): LayoutPart[] {
  const keys = Object.keys(section.fields);
  const parts: LayoutPart[] = [];
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at]!;
    const field = section.fields[key]!;
    const next = keys[at + 1];
    const yearKey = key.replace(/month$/, 'year');
    if (field.kind === 'month' && next === yearKey && section.fields[yearKey]?.kind === 'year') {
      const label = field.label.replace(/\s*month$/i, '') || 'When';
      parts.push({ kind: 'pair', label, month: key, year: yearKey });
      at += 1;
    } else parts.push({ kind: 'field', key });
  }
  return parts;
}

/** A value as text, '' if there is none. */
export function formatValue(field: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  switch (field.kind) {
    case 'month':
      return MONTHS[Number(value) - 1] ?? String(value);
    case 'choice':
      return field.options.find((option) => option.value === value)?.label ?? String(value);
    case 'number':
      return `${String(value as string)} ${field.unit}`;
    case 'flag':
      return value === true ? 'Yes' : 'No';
    case 'ids':
      return `${(value as readonly string[]).length} chosen`;
    case 'yearMonth': {
      const [year = '', month] = String(value).split('-');
      return `${MONTHS[Number(month) - 1] ?? ''} ${year}`.trim();
    }
    case 'date':
      return dayText(String(value)) || String(value);
    case 'text':
    case 'link':
    case 'year':
    case 'lookup':
      return String(value);
  }
}

/** One line of a record as text, with the keys of its fields. */
export interface Line {
  keys: string[];
  label: string;
  words: string;
}

/** Formats a row of a section, or a medium, line by line. */
export function formatFields(section: Pick<Section, 'fields'>, body: AnyRow): Line[] {
  return getLayout(section).map((part) => {
    if (part.kind === 'field') {
      const field = section.fields[part.key]!;
      return { keys: [part.key], label: field.label, words: formatValue(field, body[part.key]) };
    }
    const words = [part.month, part.year].map((key) => formatValue(section.fields[key]!, body[key])).filter(Boolean);
    return { keys: [part.month, part.year], label: part.label, words: words.join(' ') };
  });
}

/** The filled lines as plain text: 'Role: Ira'. */
export function plainText(lines: readonly Line[]): string {
  return lines
    .filter((line) => line.words !== '')
    .map((line) => `${line.label}: ${line.words}`)
    .join('\n');
}
