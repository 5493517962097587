import { and, asc, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { checkRules, crossRules, patchSchema } from '#contract/schema.ts';
import type { AnyRow, Section, SetShape } from '#contract/section.ts';
import { getOwnProfile, requireVersion, type ProfileRow } from '#server/platform/access/profiles.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { sectionRows, sectionSets } from '#server/platform/db/schema.ts';
import { ok } from '#server/platform/http/response.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { byId, pickFields, lockOwnRow, profileId } from './guards.ts';
import { checkPicked, LOOKUP_LOADERS } from './lookup-values.ts';
import type { SectionRow } from './store.ts';

/** Presents the rows of a set; looks up their entries in one query. */
export async function presentSet(db: Db, section: Section, rows: readonly SectionRow[]): Promise<AnyRow[]> {
  const bodies = rows.map((row) => row.body);
  const whole = (await LOOKUP_LOADERS[section.key]?.(db, bodies)) ?? bodies;
  return rows.map((row, at) => ({
    id: String(row.id),
    profile_id: String(row.profileId),
    ...whole[at],
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

const setRows = (db: Db, profile: number, section: Section) =>
  db
    .select()
    .from(sectionRows)
    .where(and(eq(sectionRows.profileId, profile), eq(sectionRows.section, section.key)))
    .orderBy(asc(sectionRows.id));

/** Locks the set until the commit and returns its version, so that writers of one set are serialized. */
async function lockSet(db: Db, profile: number, section: Section): Promise<number> {
  const key = { profileId: profile, section: section.key };
  await db.insert(sectionSets).values(key).onConflictDoNothing();
  const [held] = await db
    .select({ version: sectionSets.version })
    .from(sectionSets)
    .where(and(eq(sectionSets.profileId, profile), eq(sectionSets.section, section.key)))
    .for('update');
  return held?.version ?? 0;
}

interface Write {
  section: Section;
  profile: Pick<ProfileRow, 'id' | 'userId'>;
  now: Date;
  changes: ChangeLog;
}

/** Replaces the rows of a set. Rows that stay keep their ids; all get the set's new version. */
async function writeSet(
  db: Db,
  { section, profile, now, changes }: Write,
  version: number,
  before: readonly SectionRow[],
  bodies: readonly AnyRow[],
): Promise<SectionRow[]> {
  const shape = shapeOf(section);
  const wanted = new Map(bodies.map((body) => [shape.keyOf(body), body]));
  const known = new Set(before.map((row) => shape.keyOf(row.body)));
  const gone = before.filter((row) => !wanted.has(shape.keyOf(row.body)));
  const added = bodies.filter((body) => !known.has(shape.keyOf(body)));
  const next = version + 1;
  await db
    .update(sectionSets)
    .set({ version: next })
    .where(and(eq(sectionSets.profileId, profile.id), eq(sectionSets.section, section.key)));
  if (gone.length > 0) {
    await db.delete(sectionRows).where(
      inArray(
        sectionRows.id,
        gone.map((row) => row.id),
      ),
    );
  }
  for (const row of before) {
    const body = wanted.get(shape.keyOf(row.body));
    if (body === undefined) changes.recordDeletion(profile.userId, section.key, String(row.id), String(profile.id));
    else await db.update(sectionRows).set({ body, version: next, updatedAt: now }).where(eq(sectionRows.id, row.id));
  }
  if (added.length > 0) {
    const own = { userId: profile.userId, profileId: profile.id, section: section.key, version: next };
    await db.insert(sectionRows).values(added.map((body) => ({ ...own, body, createdAt: now, updatedAt: now })));
  }
  const rows = await setRows(db, profile.id, section);
  for (const row of rows) changes.recordChange(profile.userId, section.key, String(row.id), String(profile.id));
  return rows;
}

function shapeOf(section: Section): SetShape<AnyRow> {
  if (section.set === undefined) throw new Error(`${section.key} is no set`);
  return section.set;
}

const sameBodies = (section: Section, before: readonly SectionRow[], bodies: readonly AnyRow[]): boolean => {
  const { keyOf } = shapeOf(section);
  const text = (rows: readonly AnyRow[]) =>
    JSON.stringify(rows.map((row) => [keyOf(row), Object.entries(row).sort()]).sort());
  return text(before.map((row) => row.body)) === text(bodies);
};

/** The write routes of a set: replacing it, and deleting one row. */
export function setRoutes(app: FastifyInstance, section: Section, record: z.ZodMiniType): void {
  const { update, remove } = section.endpoints;
  const shape = shapeOf(section);
  const currentYear = () => app.deps.clock.now().getUTCFullYear();

  if (update) {
    writeRoute(app, {
      endpoint: update,
      summary: `Writes the ${section.noun} of a profile; what is left out stays`,
      access: requiredAccount(),
      body: z
        .object({ ...patchSchema(section, currentYear).shape, profile_id: profileId })
        .check(crossRules(section.rules, 'patch')),
      responses: { 200: z.object({ message: z.string(), data: z.array(record) }) },
      handler: async ({ body, caller, db, now, changes, expected }) => {
        const profile = await getOwnProfile(db, body.profile_id, caller);
        const version = await lockSet(db, profile.id, section);
        const before = await setRows(db, profile.id, section);
        const current = await presentSet(db, section, before);
        requireVersion(expected, version, () => ({ rows: current, version }));
        const values = { ...shape.valuesOf(before.map((row) => row.body)), ...pickFields(section, body) };
        const errors = { ...checkRules(section, values), ...(await checkPicked(db, section, body)) };
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const bodies = shape.rowsOf(values);
        if (sameBodies(section, before, bodies)) return ok({ message: section.savedText, data: current });
        const rows = await writeSet(db, { section, profile, now, changes }, version, before, bodies);
        return ok({ message: section.savedText, data: await presentSet(db, section, rows) });
      },
    });
  }

  if (remove) {
    writeRoute(app, {
      endpoint: remove,
      summary: `Takes one of the ${section.noun} out`,
      access: requiredAccount(lockOwnRow(section)),
      params: byId,
      responses: { 200: messageOnly },
      handler: async ({ subject, db, now, changes, expected }) => {
        const profile = { id: subject.profileId, userId: subject.userId };
        const version = await lockSet(db, profile.id, section);
        const before = await setRows(db, profile.id, section);
        requireVersion(expected, version, () => ({ rows: before.map((row) => row.body), version }));
        const kept = before.filter((row) => row.id !== subject.id).map((row) => row.body);
        await writeSet(db, { section, profile, now, changes }, version, before, kept);
        return ok({ message: 'Deleted' });
      },
    });
  }
}
