import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';

/** Local ids are told from the server's by their prefix; a server's id never starts with it. */
export const LOCAL = 'L_';
export const isLocal = (id: string): boolean => id.startsWith(LOCAL);

/** The id under which lanes and screens know a record: the local one for as long as this device made it. */
export async function canonicalId(db: AccountDb, type: string, id: string): Promise<string> {
  const own = isLocal(id) ? await db.ids.get(id) : undefined;
  if (isLocal(id) && !own?.alias) return id;
  const server = own?.server ?? id;
  const pairs = await db.ids.where('[type+server]').equals([type, server]).toArray();
  return pairs.find((pair) => !pair.alias)?.local ?? server;
}

/** The server's id, null while it has none. */
export async function serverId(db: AccountDb, id: string): Promise<string | null> {
  if (!isLocal(id)) return id;
  return (await db.ids.get(id))?.server ?? null;
}

/** Which mirror record keeps a field of the profile: a section of one value (about me) has its own beside it. */
export function getHomeType(type: string, field: string): string {
  if (type !== 'profile') return type;
  return SECTIONS.find((section) => section.cardinality === 'one' && field in section.fields)?.key ?? 'profile';
}

type SetSection = Section & { set: NonNullable<Section['set']> };

/** The section of a type whose rows are written as one; undefined for every other type. */
export function findSetSection(type: string): SetSection | undefined {
  return SECTIONS.find((section): section is SetSection => section.key === type && section.set !== undefined);
}

/** What kind of record the target of a change is: a set goes by the id of the profile it stands on. */
export const getTargetType = (type: string): string => (findSetSection(type) ? 'profile' : type);

/** The type whose record a change to `type` really edits: sections of one value are fields of the profile. */
export function getOwnerType(type: string): string {
  return SECTIONS.some((section) => section.cardinality === 'one' && section.key === type) ? 'profile' : type;
}
