import { inArray } from 'drizzle-orm';
import type { AnyRow } from '#contract/section.ts';
import type { Db } from '#server/db/connect.ts';
import { languages } from '#server/db/schema.ts';
import { languageIcon } from '#server/features/lookups/store.ts';
import { parseId } from '#server/http/ids.ts';

/** For sets of ids: whether they are on the list they were picked from, and what the list says of each. */
interface LookedUp {
  /** Field → messages, empty when all is well. */
  check(db: Db, values: AnyRow): Promise<Record<string, string[]>>;
  /** The rows with what is looked up, in the same order. */
  present(db: Db, rows: readonly AnyRow[]): Promise<AnyRow[]>;
}

async function languagesById(db: Db, ids: readonly unknown[]): Promise<Map<string, typeof languages.$inferSelect>> {
  const known = ids.flatMap((id) => parseId(String(id)) ?? []);
  if (known.length === 0) return new Map();
  const found = await db.select().from(languages).where(inArray(languages.id, known));
  return new Map(found.map((each) => [String(each.id), each]));
}

export const LOOKED_UP: Readonly<Record<string, LookedUp>> = {
  language: {
    async check(db, values) {
      const ids = values.languages as readonly string[];
      const known = await languagesById(db, ids);
      const errors: Record<string, string[]> = {};
      if (!ids.every((id) => known.has(id))) errors['languages'] = ['Choose from the list'];
      return errors;
    },
    async present(db, rows) {
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
  },
};
