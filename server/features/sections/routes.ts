import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { checkRules, crossRules, fieldSchema, patchSchema } from '#contract/schema.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';
import { getOwnProfile, requireVersion, getVisibleProfile } from '#server/platform/access/profiles.ts';
import { created, ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid, preconditionFailed } from '#server/platform/http/errors.ts';
import {
  requiredAccount,
  readRoute,
  optionalAccount,
  writeRoute,
  type GuardInput,
} from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import { toRowValues, byId, pickFields, lockOwnRow, profileId } from './guards.ts';
import { feedbackRoutes, presentFeedback } from './feedback.ts';
import { checkPicked } from './lookup-values.ts';
import { presentSection } from './read.ts';
import { presentSet, setRoutes } from './sets.ts';
import { addRow, changeRow, listRows, presentRow, removeRow, findRowsByIds } from './store.ts';

const byProfile = z.object({ profileId: z.string() });
const clientId = z.optional(z.uuid({ error: 'Send a UUID' }));

const seesProfile = ({ db, caller, params }: GuardInput<Caller | null, { profileId: string }>) =>
  getVisibleProfile(db, params.profileId, caller);

/** Builds the response schema of a section's rows. */
function buildRecordSchema(section: Section) {
  // Rows of a set have their own keys, not those of the form; feedback includes its author.
  if (section.set || section.writtenBy)
    return z.looseObject({ id: z.string(), profile_id: z.string(), version: z.int() });
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

function listRoute(app: FastifyInstance, section: Section, record: z.ZodMiniType): void {
  readRoute(app, {
    endpoint: section.endpoints.list,
    summary: `${section.title} of a profile`,
    access: optionalAccount(seesProfile),
    params: byProfile,
    responses: { 200: z.array(record) },
    handler: async ({ db, subject: profile, caller }) =>
      ok(await presentSection(db, section, await listRows(db, section, profile.id), { profile, caller })),
  });
}

function manyRoutes(app: FastifyInstance, section: Section, record: z.ZodMiniType): void {
  const { create, update, remove } = section.endpoints;
  const currentYear = () => app.deps.clock.now().getUTCFullYear();
  if (create) {
    const fields = Object.fromEntries(
      Object.entries(section.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
    );
    writeRoute(app, {
      endpoint: create,
      summary: `Adds a ${section.noun}`,
      access: requiredAccount(),
      body: z.object({ profile_id: profileId, client_id: clientId, ...fields }).check(crossRules(section.rules)),
      responses: { 200: withRecord(record), 201: withRecord(record) },
      handler: async ({ body, caller, db, now, changes, isCreateOnly }) => {
        const profile = await getOwnProfile(db, body.profile_id, caller, section.maxItems === 1 ? 'lock' : 'free');
        const values = toRowValues(section, body);
        const errors = await checkPicked(db, section, body);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const [only] = section.maxItems === 1 ? await listRows(db, section, profile.id) : [];
        if (only) {
          // A second create updates the existing row with the fields it fills in, so that two devices do not lose each other's values.
          const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
          const replaces = ([field, value]: [string, unknown]) =>
            only.body[field] != null && !isDeepStrictEqual(only.body[field], value);
          // With If-None-Match: *, the sender has not seen the values that this would replace.
          if (isCreateOnly && Object.entries(filled).some(replaces))
            throw preconditionFailed(presentRow(section, only));
          const row = await changeRow(db, only, { ...only.body, ...filled }, now);
          changes.recordChange(row.userId, section.key, String(row.id), String(row.profileId));
          return ok({ message: section.savedText, data: presentRow(section, row) });
        }
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
        changes.recordChange(caller.userId, section.key, String(added.row.id), String(profile.id));
        return created(answer);
      },
    });
  }

  if (update) {
    writeRoute(app, {
      endpoint: update,
      summary: `Changes a ${section.noun}; what is left out stays`,
      access: requiredAccount(lockOwnRow(section)),
      params: byId,
      body: z
        .object({ ...patchSchema(section, currentYear).shape, profile_id: z.optional(profileId) })
        .check(crossRules(section.rules, 'patch')),
      responses: { 200: withRecord(record) },
      handler: async ({ body, subject, db, now, changes, expected, caller }) => {
        requireVersion(expected, subject.version, () => presentRow(section, subject));
        if (body.profile_id !== undefined && body.profile_id !== String(subject.profileId)) {
          await getOwnProfile(db, body.profile_id, caller);
          throw invalid({ profile_id: ['This belongs to another of your profiles'] });
        }
        const values = toRowValues(section, { ...subject.body, ...pickFields(section, body) });
        const errors = { ...checkRules(section, values), ...(await checkPicked(db, section, body)) };
        if (Object.keys(errors).length > 0) throw invalid(errors);
        const row = await changeRow(db, subject, values, now);
        changes.recordChange(row.userId, section.key, String(row.id), String(row.profileId));
        return ok({ message: section.savedText, data: presentRow(section, row) });
      },
    });
  }

  if (remove) {
    writeRoute(app, {
      endpoint: remove,
      summary: `Deletes a ${section.noun}`,
      access: requiredAccount(lockOwnRow(section)),
      params: byId,
      responses: { 200: messageOnly },
      handler: async ({ subject, db, changes, expected }) => {
        requireVersion(expected, subject.version, () => presentRow(section, subject));
        await removeRow(db, subject);
        changes.recordDeletion(subject.userId, section.key, String(subject.id), String(subject.profileId));
        return ok({ message: 'Deleted' });
      },
    });
  }
}

/** A single value is stored on the profile record and written by PUT /profile/update, so it only needs a read route. */
function oneRoute(app: FastifyInstance, section: Section): void {
  readRoute(app, {
    endpoint: section.endpoints.list,
    summary: `${section.title} of a profile`,
    access: optionalAccount(seesProfile),
    params: byProfile,
    responses: { 200: z.object({ description: z.nullable(z.string()) }) },
    handler: async ({ subject }) => ok({ description: subject.description }),
  });
}

/** Registers the routes of every section, from its definition. */
export function sectionRoutes(app: FastifyInstance): void {
  for (const section of SECTIONS) {
    if (section.cardinality === 'one') {
      oneRoute(app, section);
      continue;
    }
    const record = buildRecordSchema(section);
    listRoute(app, section, record);
    if (section.set) setRoutes(app, section, record);
    else if (section.writtenBy) feedbackRoutes(app, section, record);
    else manyRoutes(app, section, record);
    app.mirror.set(section.key, async (db, ids) => {
      const rows = await findRowsByIds(db, ids.map(Number));
      if (section.set) return presentSet(db, section, rows);
      return section.writtenBy ? presentFeedback(db, section, rows) : rows.map((row) => presentRow(section, row));
    });
  }
}
