import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { lookupItem, MEDIA_LOOKUPS, type LookupItem } from '#contract/records/media.ts';
import type { LookupName } from '#contract/section.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { listLanguages } from '#server/features/lookups/store.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';

const isFixed = (name: LookupName): name is keyof typeof MEDIA_LOOKUPS => name in MEDIA_LOOKUPS;

/** Loads a lookup list as API items. */
export async function lookupList(db: Db, name: LookupName): Promise<LookupItem[]> {
  if (!isFixed(name)) return (await listLanguages(db)).map((each) => ({ id: each.id, name: each.name }));
  return MEDIA_LOOKUPS[name].map((each, index) => ({ id: String(index + 1), name: each }));
}

const ROUTES = [
  [CALLS.projectTypes, 'project_types', 'Kinds of project'],
  [CALLS.mediaLanguages, 'media_languages', 'Languages of videos and recordings'],
  [CALLS.languageAccents, 'language_accents', 'Accents of recordings'],
  [CALLS.voiceGenders, 'voice_genders', 'Voice genders of recordings'],
  [CALLS.voiceTypes, 'voice_types', 'Voice types of recordings'],
] as const;

/** Lookup lists of the media forms. */
export function mediaLookupRoutes(app: FastifyInstance): void {
  for (const [endpoint, name, summary] of ROUTES) {
    readRoute(app, {
      endpoint,
      summary,
      access: optionalAccount(),
      responses: { 200: z.array(lookupItem) },
      handler: async ({ db }) => ok(await lookupList(db, name)),
    });
  }
}
