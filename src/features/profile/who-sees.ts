import type { AnyRow, Section } from '#contract/section.ts';

type Readers = ReturnType<Section['seenBy']>;
const READERS: Record<Readers, string> = { everyone: 'everyone', connections: 'you and your connections' };

/** Who reads the day rate: see the rulings in docs/decisions/005-rulings.md. */
export const DAY_RATE_READERS = 'Who sees this: members who are signed in';

/**
 * Who will see a row, where that depends on what is chosen in its form; null where everyone sees all rows.
 * @param row as typed so far
 */
export function whoSees({ fields, seenBy, example }: Pick<Section, 'fields' | 'seenBy' | 'example'>, row: AnyRow) {
  for (const [key, field] of Object.entries(fields)) {
    if (field.kind !== 'choice') continue;
    const options = field.options.map(({ value, label }) => ({
      value,
      label,
      by: seenBy({ ...example, [key]: value }),
    }));
    if (options.every(({ by }) => by === 'everyone')) continue;
    const chosen = options.find(({ value }) => value === row[key]);
    if (chosen) return `Who sees this: ${READERS[chosen.by]}`;
    return `Who sees this: ${options.map(({ label, by }) => `${READERS[by]} (${label})`).join(' or ')}`;
  }
  return null;
}
