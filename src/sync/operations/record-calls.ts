import { AUDITION_CALLS, CASTING_CALLS } from '#contract/casting-calls.ts';
import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { MEDIA_LOOKUP_FIELDS } from '#contract/media-types.ts';
import type { AnyRow, Endpoint } from '#contract/section.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import { loadLookup } from '#db/lookups.ts';
import type { OutboxRow } from '#db/rows.ts';

/** Shared by the operations that create, update and delete a profile, a media item, a row of a section or a record of casting. */

interface RecordCalls {
  create: Endpoint | null;
  update: Endpoint | null;
  remove: Endpoint | null;
}

/** The records that are rows of no section. */
const CALLS = new Map<string, RecordCalls>([
  ['profile', { create: ENGINE_CALLS.createProfile, update: ENGINE_CALLS.updateProfile, remove: null }],
  ['media', { create: ENGINE_CALLS.submitMedia, update: ENGINE_CALLS.changeMedia, remove: ENGINE_CALLS.deleteMedia }],
  [
    'project',
    { create: CASTING_CALLS.createProject, update: CASTING_CALLS.updateProject, remove: CASTING_CALLS.deleteProject },
  ],
  ['role', { create: CASTING_CALLS.createRole, update: CASTING_CALLS.updateRole, remove: CASTING_CALLS.deleteRole }],
  [
    'project_member',
    { create: CASTING_CALLS.inviteMember, update: CASTING_CALLS.updateMember, remove: CASTING_CALLS.removeMember },
  ],
  ['tape', { create: AUDITION_CALLS.announceTape, update: null, remove: null }],
  ['link', { create: CASTING_CALLS.createLink, update: CASTING_CALLS.updateLink, remove: null }],
  ['request', { create: CASTING_CALLS.ask, update: CASTING_CALLS.changeRequest, remove: null }],
  [
    'candidate',
    { create: CASTING_CALLS.addCandidate, update: CASTING_CALLS.moveCandidate, remove: CASTING_CALLS.removeCandidate },
  ],
]);

/** The endpoints of a record type; undefined when the contract does not have the type. */
export const getRecordCalls = (type: string): RecordCalls | undefined => CALLS.get(type) ?? sectionOf(type)?.endpoints;

/**
 * The version that a record must have for a change of it to be made; null for any. Where somebody stands on a shortlist says nothing that could be lost, so
 * there the last change holds, whatever it was based on.
 */
export const getRequiredVersion = ({ type, baseVersion }: OutboxRow): number | null =>
  type === 'candidate' ? null : baseVersion;

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
