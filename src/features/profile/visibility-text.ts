import type { AnyRow, Section } from '#contract/section.ts';

type Audience = ReturnType<Section['visibleTo']>;
const AUDIENCE_TEXT: Record<Audience, string> = { everyone: 'everyone', connections: 'you and your connections' };
/** Only contacts have rows for everyone beside others; `limitContacts` has the reason. */
const LIMITED_TEXT = ', but the number and the e-mail only if you say so in Settings';

/** The audience of the day rate; docs/decisions/005-rulings.md has the reason. */
export const DAY_RATE_VISIBILITY_TEXT = 'Who sees this: your connections, and other members if you say so in Settings';

/**
 * Returns a sentence about who will see a row whose audience depends on a choice in its form.
 * @param row the values typed so far
 * @returns null if everyone sees all rows of the section
 */
export function getVisibilityText(
  { fields, visibleTo, example }: Pick<Section, 'fields' | 'visibleTo' | 'example'>,
  row: AnyRow,
) {
  for (const [key, field] of Object.entries(fields)) {
    if (field.kind !== 'choice') continue;
    const options = field.options.map(({ value, label }) => ({
      value,
      label,
      audience: visibleTo({ ...example, [key]: value }),
    }));
    if (options.every(({ audience }) => audience === 'everyone')) continue;
    const chosen = options.find(({ value }) => value === row[key]);
    if (chosen)
      return `Who sees this: ${AUDIENCE_TEXT[chosen.audience]}${chosen.audience === 'everyone' ? LIMITED_TEXT : ''}`;
    return `Who sees this: ${options.map(({ label, audience }) => `${AUDIENCE_TEXT[audience]} (${label})`).join(' or ')}`;
  }
  return null;
}
