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

/** Which of the ids are on the list, by its name in a field's definition. */
const LISTS: Readonly<Record<IdsField['lookup'], typeof languagesById>> = { languages: languagesById };

/**
 * Field → messages, empty when every picked id is on the list its field names.
 * @param given what the caller sent: an entry that has left the list since stands in nobody's way
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

/** Sections whose rows tell more of an id than the id: the rows with what is looked up, in the same order. */
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
