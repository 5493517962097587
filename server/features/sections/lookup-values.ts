import { inArray } from 'drizzle-orm';
import type { AnyRow, IdsField, Section } from '#contract/section.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { languages } from '#server/platform/db/schema.ts';
import { languageIcon } from '#server/features/lookups/store.ts';
import { parseId } from '#server/platform/http/ids.ts';

async function languagesById(db: Db, ids: readonly unknown[]): Promise<Map<string, typeof languages.$inferSelect>> {
  const known = ids.flatMap((id) => parseId(String(id)) ?? []);
  if (known.length === 0) return new Map();
  const found = await db.select().from(languages).where(inArray(languages.id, known));
  return new Map(found.map((each) => [String(each.id), each]));
}

/** Loads the entries of each lookup list that exist, by the list's name in field definitions. */
const LISTS: Readonly<Record<IdsField['lookup'], typeof languagesById>> = { languages: languagesById };

/**
 * Validates picked ids against their lookup lists. Returns field → messages, empty when all exist.
 * @param given the fields that the caller sent; stored ids that have since left a list are not validated
 */
export async function checkPicked(db: Db, section: Section, given: AnyRow): Promise<Record<string, string[]>> {
  const errors: Record<string, string[]> = {};
  for (const [key, field] of Object.entries(section.fields)) {
    const picked = given[key];
    if (field.kind !== 'ids' || !Array.isArray(picked)) continue;
    const known = await LISTS[field.lookup](db, picked);
    if (!picked.every((id) => known.has(String(id)))) errors[key] = ['Choose from the list'];
  }
  return errors;
}

/** Sections whose rows include the looked-up entry beside its id: adds the entries to rows, in the same order. */
export const LOOKUP_LOADERS: Readonly<Record<string, (db: Db, rows: readonly AnyRow[]) => Promise<AnyRow[]>>> = {
  async language(db, rows) {
    const known = await languagesById(
      db,
      rows.map((row) => row.language_id),
    );
    return rows.map((row) => {
      const language = known.get(String(row.language_id));
      return {
        ...row,
        name: language?.name ?? '',
        icon_img: language === undefined ? null : languageIcon(language.icon),
      };
    });
  },
};
