import { SECTIONS } from '#contract/sections/index.ts';
import type { OutboxRow } from '#db/rows.ts';

/** In the address instead of an id: a row that is not there yet. */
export const NEW = 'new';

/** What `?edit=` holds: 'profile', or a section key and an item's id: 'skill:12', 'skill:new'. */
export function editorValue(type: string, id: string): string {
  return type === 'profile' ? type : `${type}:${id}`;
}

export function parseEditor(value: string): { type: string; id: string } {
  const at = value.indexOf(':');
  return at < 0 ? { type: value, id: NEW } : { type: value.slice(0, at), id: value.slice(at + 1) };
}

/** Which form mends a refused change. A single-value section travels as a field of the profile; its own form has the field. */
export function editorFor(row: Pick<OutboxRow, 'type' | 'target' | 'patch' | 'lastError'>): string {
  if (row.type !== 'profile') return editorValue(row.type, row.target);
  const wrong = Object.keys(row.lastError?.errors ?? {});
  const fields = wrong.length > 0 ? wrong : Object.keys(row.patch);
  const single = SECTIONS.find(
    (section) => section.cardinality === 'one' && fields.some((key) => key in section.fields),
  );
  return single ? editorValue(single.key, row.target) : editorValue('profile', row.target);
}
