import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { checkRules, fieldSchema, patchSchema } from '#contract/schema.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { ownProfile, requireVersion, visibleProfile } from '#server/access/profiles.ts';
import { profiles } from '#server/db/schema.ts';
import { created, ok } from '#server/http/answer.ts';
import type { Caller } from '#server/http/caller.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { requireId } from '#server/http/ids.ts';
import { account, readRoute, viewer, writeRoute, type GuardInput } from '#server/http/route.ts';
import { changed, said } from '#server/http/schemas.ts';
import { addRow, changeRow, listRows, lockRow, presentRow, removeRow, rowsByIds, type SectionRow } from './store.ts';

const byProfile = z.object({ profileId: z.string() });
const byId = z.object({ id: z.string() });
const clientId = z.optional(z.uuid({ error: 'Send a UUID' }));
const profileId = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], { error: 'Say which profile it belongs to' }),
  z.transform((value) => String(value)),
);

const seesProfile = ({ db, caller, params }: GuardInput<Caller | null, { profileId: string }>) =>
  visibleProfile(db, params.profileId, caller);

/** What a section's rows look like when they go out. */
function recordOf(section: Section) {
  const fields = Object.keys(section.fields).map((key) => [key, z.unknown()]);
  return z.extend(
    z.object({
      id: z.string(),
      profile_id: z.string(),
      client_id: z.nullable(z.string()),
      version: z.int(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
    Object.fromEntries(fields),
  );
}

/** Finds a row for a write and holds it. @throws 404 where the caller may not know of it, 403 where it is another's */
const ownRow =
  (section: Section) =>
  async ({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<SectionRow> => {
    const row = await lockRow(db, section, requireId(params.id, section.noun));
    if (row === null) throw notFound(section.noun);
    if (row.userId === caller.userId) return row;
    const [profile] = await db.select({ status: profiles.status }).from(profiles).where(eq(profiles.id, row.profileId));
    throw profile?.status === 'active' ? forbidden() : notFound(section.noun);
  };

/** The values of a row by field, each there: what is empty is null. */
function bodyOf(section: Section, values: AnyRow): AnyRow {
  return Object.fromEntries(Object.keys(section.fields).map((key) => [key, values[key] ?? null]));
}

function manyRoutes(app: FastifyInstance, section: Section): void {
  const { list, create, update, remove } = section.endpoints;
  const currentYear = () => app.deps.clock.now().getUTCFullYear();
  const record = recordOf(section);

  readRoute(app, {
    endpoint: list,
    summary: `${section.title} of a profile`,
    access: viewer(seesProfile),
    params: byProfile,
    answers: { 200: z.array(record) },
    handler: async ({ db, subject, caller }) => {
      const rows = await listRows(db, section, subject.id);
      // Connections do not exist yet: what is theirs alone goes to nobody but the owner.
      const isOwner = caller?.userId === subject.userId;
      const seen = rows.filter((row) => isOwner || section.seenBy(row.body) === 'everyone');
      return ok(seen.map((row) => presentRow(section, row)));
    },
  });

  if (create) {
    const fields = Object.fromEntries(
      Object.entries(section.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
    );
    writeRoute(app, {
      endpoint: create,
      summary: `Adds a ${section.noun}`,
      access: account(),
      body: z.object({ profile_id: profileId, client_id: clientId, ...fields }),
      answers: { 200: changed(record), 201: changed(record) },
      handler: async ({ body, caller, db, now, changes }) => {
        const profile = await ownProfile(db, body.profile_id, caller);
        const values = bodyOf(section, body);
        const errors = checkRules(section, values);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const added = await addRow(db, {
          userId: caller.userId,
          profileId: profile.id,
          section: section.key,
          body: values,
          clientId: body.client_id ?? null,
          createdAt: now,
        });
        const answer = { message: section.savedText, data: presentRow(section, added.row) };
        if (!added.isNew) return ok(answer);
        changes.changed(caller.userId, section.key, String(added.row.id), String(profile.id));
        return created(answer);
      },
    });
  }

  if (update) {
    writeRoute(app, {
      endpoint: update,
      summary: `Changes a ${section.noun}; what is left out stays`,
      access: account(ownRow(section)),
      params: byId,
      body: z.object({ ...patchSchema(section, currentYear).shape, profile_id: z.optional(profileId) }),
      answers: { 200: changed(record) },
      handler: async ({ body, subject, db, now, changes, expected, caller }) => {
        requireVersion(expected, subject.version, () => presentRow(section, subject));
        if (body.profile_id !== undefined && body.profile_id !== String(subject.profileId)) {
          await ownProfile(db, body.profile_id, caller);
          throw invalid({ profile_id: ['It belongs to another of your profiles'] });
        }
        const given = Object.entries(body).filter(([key, value]) => key in section.fields && value !== undefined);
        const values = bodyOf(section, { ...subject.body, ...Object.fromEntries(given) });
        const errors = checkRules(section, values);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const row = await changeRow(db, subject, values, now);
        changes.changed(row.userId, section.key, String(row.id), String(row.profileId));
        return ok({ message: section.savedText, data: presentRow(section, row) });
      },
    });
  }

  if (remove) {
    writeRoute(app, {
      endpoint: remove,
      summary: `Deletes a ${section.noun}`,
      access: account(ownRow(section)),
      params: byId,
      answers: { 200: said },
      handler: async ({ subject, db, changes, expected }) => {
        requireVersion(expected, subject.version, () => presentRow(section, subject));
        await removeRow(db, subject);
        changes.deleted(subject.userId, section.key, String(subject.id), String(subject.profileId));
        return ok({ message: 'Deleted' });
      },
    });
  }
}

/** A single value is kept on the profile record and written by PUT /profile/update; only reading it is a call of its own. */
function oneRoute(app: FastifyInstance, section: Section): void {
  readRoute(app, {
    endpoint: section.endpoints.list,
    summary: `${section.title} of a profile`,
    access: viewer(seesProfile),
    params: byProfile,
    answers: { 200: z.object({ description: z.nullable(z.string()) }) },
    handler: async ({ subject }) => ok({ description: subject.description }),
  });
}

/** The calls of every section, made from its definition. */
export function sectionRoutes(app: FastifyInstance): void {
  for (const section of SECTIONS) {
    if (section.cardinality === 'one') {
      oneRoute(app, section);
      continue;
    }
    manyRoutes(app, section);
    app.mirror.set(section.key, async (db, ids) => {
      const rows = await rowsByIds(db, ids.map(Number));
      return rows.map((row) => presentRow(section, row));
    });
  }
}
