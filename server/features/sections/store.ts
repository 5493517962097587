import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { AnyRow, Section } from '#contract/section.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { sectionRows } from '#server/platform/db/schema.ts';
import { unprocessable } from '#server/platform/http/errors.ts';
import { LostRace } from '#server/platform/http/write.ts';

export type SectionRow = typeof sectionRows.$inferSelect;

/** Maximum rows per profile and section: enough for any career, and few enough for one response. */
const MAX_ROWS = 500;

export function presentRow(section: Section, row: SectionRow): AnyRow {
  const fields = Object.fromEntries(Object.keys(section.fields).map((key) => [key, row.body[key] ?? null]));
  return {
    id: String(row.id),
    profile_id: String(row.profileId),
    ...fields,
    client_id: row.clientId,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

const rowsOfProfile = (db: Db) =>
  prepared(db, 'section rows', (name) =>
    db
      .select()
      .from(sectionRows)
      .where(
        and(
          eq(sectionRows.profileId, sql.placeholder('profileId')),
          eq(sectionRows.section, sql.placeholder('section')),
        ),
      )
      .orderBy(desc(sectionRows.createdAt), desc(sectionRows.id))
      .prepare(name),
  );

/** @param rows newest created first */
function sortRows(section: Section, rows: SectionRow[]): SectionRow[] {
  const rank = section.dateRank;
  return rank ? rows.sort((a, b) => rank(b.body) - rank(a.body)) : rows;
}

/** Lists a profile's rows in display order: dated sections newest first, then by creation, newest first. */
export async function listRows(db: Db, section: Section, profileId: number): Promise<SectionRow[]> {
  return sortRows(section, await rowsOfProfile(db).execute({ profileId, section: section.key }));
}

/** Loads the rows of several sections of a profile in one query, by section key, each ordered as in `listRows`. */
export async function listAllRows(
  db: Db,
  sections: readonly Section[],
  profileId: number,
): Promise<Map<string, SectionRow[]>> {
  const found = new Map<string, SectionRow[]>(sections.map(({ key }) => [key, []]));
  const rows = await db
    .select()
    .from(sectionRows)
    .where(eq(sectionRows.profileId, profileId))
    .orderBy(desc(sectionRows.createdAt), desc(sectionRows.id));
  for (const row of rows) found.get(row.section)?.push(row);
  for (const section of sections) sortRows(section, found.get(section.key) ?? []);
  return found;
}

export async function findRowsByIds(db: Db, ids: number[]): Promise<SectionRow[]> {
  return ids.length === 0 ? [] : db.select().from(sectionRows).where(inArray(sectionRows.id, ids));
}

/** Locks a row until the commit. */
export async function lockRow(db: Db, section: Section, id: number): Promise<SectionRow | null> {
  const [row] = await db
    .select()
    .from(sectionRows)
    .where(and(eq(sectionRows.id, id), eq(sectionRows.section, section.key)))
    .for('update');
  return row ?? null;
}

/** Inserts a row and counts those that the profile had in this section. A repeated `clientId` inserts nothing. */
const insertRow = (db: Db) =>
  prepared(db, 'insert section row', (name) => {
    const value = sql.placeholder;
    return db
      .insert(sectionRows)
      .values({
        userId: value('userId'),
        profileId: value('profileId'),
        section: value('section'),
        body: value('body'),
        clientId: value('clientId'),
        createdAt: value('createdAt'),
        updatedAt: value('updatedAt'),
      })
      .onConflictDoNothing()
      .returning({
        ...getTableColumns(sectionRows),
        rowsBefore: sql<number>`(
          select count(*)::int from section_rows before
          where before.profile_id = section_rows.profile_id and before.section = section_rows.section)`,
      })
      .prepare(name);
  });

/**
 * Adds a row. A repeated `clientId` returns the existing row unchanged.
 * @throws 422 when the profile has 500 rows of this section
 */
export async function addRow(
  db: Db,
  row: Pick<SectionRow, 'userId' | 'profileId' | 'section' | 'body' | 'clientId' | 'createdAt'>,
): Promise<{ row: SectionRow; isNew: boolean }> {
  const [added] = await insertRow(db).execute({ ...row, updatedAt: row.createdAt });
  if (added) {
    const { rowsBefore, ...stored } = added;
    if (rowsBefore >= MAX_ROWS) throw unprocessable(`You can add up to ${MAX_ROWS} of these. Delete one to make room`);
    return { row: stored, isNew: true };
  }
  const [same] = await db
    .select()
    .from(sectionRows)
    .where(
      and(
        eq(sectionRows.userId, row.userId),
        eq(sectionRows.section, row.section),
        eq(sectionRows.clientId, row.clientId ?? ''),
      ),
    );
  if (same === undefined) throw new LostRace('The row with this client id was deleted meanwhile');
  return { row: same, isNew: false };
}

/** Writes a row's new values and increments its version. The caller must hold its lock. */
export async function changeRow(db: Db, row: SectionRow, body: AnyRow, now: Date): Promise<SectionRow> {
  const next = { body, version: row.version + 1, updatedAt: now };
  await db.update(sectionRows).set(next).where(eq(sectionRows.id, row.id));
  return { ...row, ...next };
}

export async function removeRow(db: Db, row: SectionRow): Promise<void> {
  await db.delete(sectionRows).where(eq(sectionRows.id, row.id));
}
