import { sectionOf } from '#contract/sections/index.ts';
import type { OutboxRow } from './rows.ts';
import { homeOf } from './canonical.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** How a change reads in Waiting to send: 'Credit: The Long Monsoon'. `body` is the record under it, as far as known. */
export function describe(row: Pick<OutboxRow, 'kind' | 'type' | 'patch'>, body: Record<string, unknown> = {}): string {
  const whole = { ...body, ...row.patch };
  if (row.kind === 'avatar') return 'Profile photo';
  if (row.type === 'media') return `Photo: ${typeof whole.name === 'string' ? whole.name : 'without a name'}`;
  if (row.type === 'profile') {
    const homes = new Set(Object.keys(row.patch).map((field) => homeOf('profile', field)));
    const [only] = homes;
    const section = homes.size === 1 && only !== undefined ? sectionOf(only) : undefined;
    if (section) return section.title;
    return typeof whole.stage_name === 'string' ? `Profile: ${whole.stage_name}` : 'Profile';
  }
  const section = sectionOf(row.type);
  if (section === undefined) return capital(row.type);
  const title = section.card(whole).title;
  return title ? `${capital(section.noun)}: ${title}` : capital(section.noun);
}
