import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { MEDIA_LOOKUP_FIELDS } from '#contract/media-types.ts';
import type { AnyRow, Endpoint } from '#contract/section.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { loadLookup } from '#db/lookups.ts';
import type { OutboxRow } from '#db/rows.ts';

/** Shared by the operations that create, update and delete a profile, a media item or a row of a section. */

interface RecordCalls {
  create: Endpoint | null;
  update: Endpoint | null;
  remove: Endpoint | null;
}

const PROFILE: RecordCalls = { create: ENGINE_CALLS.createProfile, update: ENGINE_CALLS.updateProfile, remove: null };
const MEDIA: RecordCalls = {
  create: ENGINE_CALLS.submitMedia,
  update: ENGINE_CALLS.changeMedia,
  remove: ENGINE_CALLS.deleteMedia,
};

/** The endpoints of a record type; undefined when the contract does not have the type. */
export function getRecordCalls(type: string): RecordCalls | undefined {
  if (type === 'profile') return PROFILE;
  return type === 'media' ? MEDIA : sectionOf(type)?.endpoints;
}

/** Converts a patch to wire fields: values that a media form offers as lists are sent as ids. */
export async function toWireFields(db: AccountDb, { type, patch, wire }: OutboxRow): Promise<AnyRow> {
  if (wire || type !== 'media') return wire ?? patch;
  const fields = { ...patch };
  for (const [field, list] of Object.entries(MEDIA_LOOKUP_FIELDS)) {
    if (typeof fields[field] !== 'string') continue;
    const entry = (await loadLookup(db, list)).find(({ name }) => name === fields[field]);
    if (entry) fields[field] = entry.id;
  }
  return fields;
}
