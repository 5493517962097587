import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';

/** Prefix of local ids. A server id never starts with it. */
export const LOCAL = 'L_';
export const isLocal = (id: string): boolean => id.startsWith(LOCAL);

/** The id that lanes and screens use for a record: the local id if this device created it, else the server's. */
export async function canonicalId(db: AccountDb, type: string, id: string): Promise<string> {
  const own = isLocal(id) ? await db.ids.get(id) : undefined;
  if (isLocal(id) && !own?.alias) return id;
  const server = own?.server ?? id;
  const pairs = await db.ids.where('[type+server]').equals([type, server]).toArray();
  return pairs.find((pair) => !pair.alias)?.local ?? server;
}

/** The server's id of a record, null while the server does not have it. */
export async function serverId(db: AccountDb, id: string): Promise<string | null> {
  if (!isLocal(id)) return id;
  return (await db.ids.get(id))?.server ?? null;
}

/** The types of records that belong to something other than a profile. */
const PARENT_TYPES: Readonly<Record<string, string>> = {
  role: 'project',
  project_member: 'project',
  request: 'role',
  candidate: 'role',
  tape: 'audition',
  mark: 'tape',
  link: 'role',
};

/** The type of the records to which records of this type belong. */
export const getParentType = (type: string): string => PARENT_TYPES[type] ?? 'profile';

/** The field of a record of this type that names the one it belongs to. An audition is the performer's side of a request, under the same id. */
export const getParentField = (type: string): string => (type === 'tape' ? 'request_id' : `${getParentType(type)}_id`);

/** The mirror record that holds a profile field: a single-value section (about me) has a record of its own. */
export function getHomeType(type: string, field: string): string {
  if (type !== 'profile') return type;
  return SECTIONS.find((section) => section.cardinality === 'one' && field in section.fields)?.key ?? 'profile';
}

type SetSection = Section & { set: NonNullable<Section['set']> };

/** The section of a type whose rows are saved as one set; undefined for every other type. */
export function findSetSection(type: string): SetSection | undefined {
  return SECTIONS.find((section): section is SetSection => section.key === type && section.set !== undefined);
}

/** The record type of a change's target: a set is targeted by the id of its profile. */
export const getTargetType = (type: string): string => (findSetSection(type) ? 'profile' : type);

/** The type that a change to `type` edits: single-value sections are fields of the profile. */
export function getOwnerType(type: string): string {
  return SECTIONS.some((section) => section.cardinality === 'one' && section.key === type) ? 'profile' : type;
}
