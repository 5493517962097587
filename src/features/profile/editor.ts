import { SECTIONS } from '#contract/sections/index.ts';
import type { OutboxRow } from '#db/rows.ts';

/** Stands in for the id in the address when the form adds a new item. */
export const NEW_ITEM = 'new';

/** Returns the value of `?edit=`: 'profile', or a section key with an item id such as 'skill:12' or 'skill:new'. */
export function toEditorParam(type: string, id: string): string {
  return type === 'profile' ? type : `${type}:${id}`;
}

export function parseEditorParam(value: string): { type: string; id: string } {
  const colon = value.indexOf(':');
  return colon < 0 ? { type: value, id: NEW_ITEM } : { type: value.slice(0, colon), id: value.slice(colon + 1) };
}

/**
 * Returns the `?edit=` value of the form that can fix a refused change. A single-value section is sent as a field of the
 * profile, but its field is in the section's own form.
 */
export function getEditorParamFor(row: Pick<OutboxRow, 'type' | 'target' | 'patch' | 'lastError'>): string {
  if (row.type !== 'profile') return toEditorParam(row.type, row.target);
  const invalidFields = Object.keys(row.lastError?.errors ?? {});
  const fields = invalidFields.length > 0 ? invalidFields : Object.keys(row.patch);
  const single = SECTIONS.find(
    (section) => section.cardinality === 'one' && fields.some((key) => key in section.fields),
  );
  return single ? toEditorParam(single.key, row.target) : toEditorParam('profile', row.target);
}
