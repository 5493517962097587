import { asc, countDistinct, eq, sql } from 'drizzle-orm';
import type { IndustryFilter, Language } from '#contract/records/lookups.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { industries, languages, profiles } from '#server/platform/db/schema.ts';

type LanguageRow = typeof languages.$inferSelect;

/**
 * Builds a language's icon, a letter of its script on a disc, as a data URL, so that it works offline and needs no request.
 */
export function languageIcon(letters: string): string {
  const size = letters.length > 2 ? 12 : letters.length > 1 ? 15 : 19;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#134834"/>` +
    `<text x="20" y="21" fill="#f7f2e4" font-family="sans-serif" font-size="${size}" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export const presentLanguage = ({ id, name, icon }: LanguageRow): Language => ({
  id: String(id),
  name,
  icon_img: languageIcon(icon),
});

export async function listLanguages(db: Db): Promise<Language[]> {
  const rows = await db.select().from(languages).orderBy(asc(languages.name));
  return rows.map(presentLanguage);
}

/** Lists industries with the number of people in each. Active profiles count, and each person counts once. */
export async function listIndustries(db: Db): Promise<IndustryFilter[]> {
  const people = db
    .select({ industryId: profiles.industryId, people: countDistinct(profiles.userId).as('people') })
    .from(profiles)
    .where(sql`${profiles.isShown} and ${profiles.industryId} is not null`)
    .groupBy(profiles.industryId)
    .as('people');
  const rows = await db
    .select({ id: industries.id, name: industries.name, icon: industries.icon, people: people.people })
    .from(industries)
    .leftJoin(people, eq(people.industryId, industries.id))
    .orderBy(asc(industries.id));
  return rows.map(({ id, name, icon, people: count }) => ({
    id: String(id),
    name,
    icon_img: `/icons/industries/${icon}.svg`,
    count: count ?? 0,
  }));
}

/** Whether an industry with this id exists. */
export async function isIndustry(db: Db, id: number | null): Promise<boolean> {
  if (id === null) return false;
  const found = await db.select({ id: industries.id }).from(industries).where(eq(industries.id, id));
  return found.length > 0;
}
