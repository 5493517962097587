import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { industryFilter, language } from '#contract/records/lookups.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';
import { listIndustries, listLanguages } from './store.ts';

/** Lookup lists, the same for every caller. */
export function lookupRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.languages,
    summary: 'Languages to choose from',
    access: optionalAccount(),
    responses: { 200: z.array(language) },
    handler: async ({ db }) => ok(await listLanguages(db)),
  });

  readRoute(app, {
    endpoint: CALLS.industries,
    summary: 'Industries, with how many people are in each',
    access: optionalAccount(),
    responses: { 200: z.array(industryFilter) },
    handler: async ({ db }) => ok(await listIndustries(db)),
  });
}
