import type { Field, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { markerOf } from '../markers.ts';
import type { Intent } from '../invariants/intent-log.ts';

/** Words that may be anything, so that they can carry a marker; a link does so in its path. */
const takesMarker = (field: Field) => (field.kind === 'text' && field.format === undefined) || field.kind === 'link';

/** Sections that people of the simulation write: all whose rows are the owner's own and hold words. */
export const WRITTEN_SECTIONS: readonly Section[] = SECTIONS.filter(
  ({ fields, writtenBy, profileTypes, endpoints }) =>
    Object.values(fields).some(takesMarker) && !writtenBy && !profileTypes && endpoints.update,
);

/** Of these the lists. */
export const LISTS = WRITTEN_SECTIONS.filter(({ cardinality }) => cardinality === 'many').map(({ key }) => key);

/** Fields of each type that take any text, and with it a marker. */
export const TEXTS: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(
    WRITTEN_SECTIONS.map(({ key, fields }) => [key, Object.keys(fields).filter((name) => takesMarker(fields[name]!))]),
  ),
  profile: ['stage_name', 'title', 'location'],
  media: ['name', 'category_type', 'keywords'],
};

const LINKS = new Set(
  SECTIONS.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]!.kind === 'link')),
);

/** New texts for these fields, with the wish's marker in them, which then has them. */
export function textsFor(intent: Intent, fields: readonly string[]): Record<string, unknown> {
  const marker = markerOf(intent.marker);
  const texts = Object.fromEntries(
    fields.map((field) => [
      field,
      LINKS.has(field) ? `https://example.org/${marker}` : `${field.slice(0, 5)} ${marker}`,
    ]),
  );
  Object.assign(intent.fields, texts);
  return texts;
}
