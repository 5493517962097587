import { markerOf } from '../markers.ts';
import type { Wish } from '../oracle/memory.ts';

/** Fields of each type that take any text, and with it a marker. */
export const TEXTS: Record<string, string[]> = {
  experience: ['experience_title', 'details', 'production_details'],
  skill: ['name'],
  about_me: ['description'],
  attribute: ['Build', 'Hair', 'Eyes', 'Skin'],
  profile: ['stage_name', 'title', 'location'],
  media: ['name', 'category_type', 'keywords'],
};

/** New texts for these fields, with the wish's marker in them, which then has them. */
export function textsFor(wish: Wish, fields: readonly string[]): Record<string, unknown> {
  const texts = Object.fromEntries(fields.map((field) => [field, `${field.slice(0, 5)} ${markerOf(wish.marker)}`]));
  Object.assign(wish.fields, texts);
  return texts;
}
