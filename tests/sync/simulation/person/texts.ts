import type { Field, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { markerOf } from '../markers.ts';
import type { Intent } from '../invariants/intent-log.ts';

/** Free text can carry a marker, and so can the path of a link. */
const takesMarker = (field: Field) => (field.kind === 'text' && field.format === undefined) || field.kind === 'link';

/** Sections that the simulated person writes: those whose rows belong to the owner and have text. */
export const WRITTEN_SECTIONS: readonly Section[] = SECTIONS.filter(
  ({ fields, writtenBy, profileTypes, endpoints }) =>
    Object.values(fields).some(takesMarker) && !writtenBy && !profileTypes && endpoints.update,
);

/** Keys of the sections that are lists. */
export const LISTS = WRITTEN_SECTIONS.filter(({ cardinality }) => cardinality === 'many').map(({ key }) => key);

/** Fields of each type that can carry a marker. */
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

/** Creates texts with the intent's marker for these fields and adds them to the intent. */
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
