import { mediaListOf } from '#contract/media-types.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { getHomeType } from '#db/canonical.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Values } from './operation.ts';

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name in a card or a patch, 'someone' when there is none. */
export function getName(value: unknown): string {
  const { stage_name, name } = (value ?? {}) as { stage_name?: unknown; name?: unknown };
  return String(stage_name ?? name ?? 'someone');
}

/** The record type of a change, or the single-value section if the change touches only that part of a profile. */
export function getSubject(row: Pick<OutboxRow, 'type' | 'patch'>): string {
  const homes = new Set(Object.keys(row.patch).map((field) => getHomeType(row.type, field)));
  const [only] = homes;
  return homes.size === 1 && only !== undefined ? only : row.type;
}

/** The title of a change of a record: 'Credit: The Long Monsoon'. @param body the record, as far as known */
export function describeRecord(row: Pick<OutboxRow, 'type' | 'patch'>, body: Values): string {
  const whole = { ...body, ...row.patch };
  if (row.type === 'media') {
    const noun = mediaListOf(whole.media_type)?.noun ?? 'media';
    return `${capitalize(noun)}: ${typeof whole.name === 'string' ? whole.name : 'no name'}`;
  }
  if (row.type === 'profile') {
    const section = sectionOf(getSubject(row));
    if (section) return section.title;
    return typeof whole.stage_name === 'string' ? `Profile: ${whole.stage_name}` : 'Profile';
  }
  const section = sectionOf(row.type);
  if (section === undefined) {
    const name =
      whole.title ?? whole.name ?? whole.performer_name ?? (whole.performer ? getName(whole.performer) : null);
    const noun = row.type === 'project_member' ? 'Colleague' : capitalize(row.type);
    return typeof name === 'string' ? `${noun}: ${name}` : noun;
  }
  const title = section.card(whole).title;
  return title ? `${capitalize(section.noun)}: ${title}` : capitalize(section.noun);
}
