import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';
import { loadLookup } from './lookups.ts';
import { sectionItems } from './queries.ts';

/** Facts of the slate that lie in sections, unsent changes included. */
export interface SlateExtras {
  /** Centimetres, as written; '' where it is not said. */
  height: string;
  /** Names, as far as this device knows them. */
  languages: string[];
}

export async function slateExtras(db: AccountDb, profileId: string): Promise<SlateExtras> {
  const body = async (key: string) => {
    const section = sectionOf(key);
    return section ? (await sectionItems(db, section, profileId))[0]?.body : undefined;
  };
  const height = (await body('attribute'))?.['Height'];
  const chosen = (await body('language'))?.['languages'];
  const names = new Map((await loadLookup(db, 'languages')).map((entry) => [entry.id, entry.name]));
  for (const { body: row } of await db.records
    .where('[type+id]')
    .between(['language', ''], ['language', '\uffff'])
    .toArray()) {
    if (typeof row.name === 'string') names.set(String(row.language_id), row.name);
  }
  return {
    height: typeof height === 'string' ? height : '',
    languages: Array.isArray(chosen) ? chosen.flatMap((id) => names.get(String(id)) ?? []) : [],
  };
}
