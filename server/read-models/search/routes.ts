import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { searchQuery, searchRow } from '#contract/records/search.ts';
import { SEARCH_CALLS } from '#contract/search-calls.ts';
import { ok } from '#server/platform/http/response.ts';
import { encodeCursor, pageQuery, decodeCursor } from '#server/platform/http/paging.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';
import { indexBatch, SearchIndexer } from './indexer.ts';
import { searchProfiles } from './store.ts';

/** Maximum profiles that a search indexes before it runs; more are pending only after a burst of changes. */
const CATCH_UP_PROFILES = 10;
const count = z.int().check(z.nonnegative());
const place = z.object({ step: count, quality: z.int(), id: count, found: count });

/** People search. A change is searchable as soon as its write has been answered. */
export function searchRoutes(app: FastifyInstance): void {
  const { db: pool, log } = { db: app.deps.db, log: app.log };
  const indexer = new SearchIndexer(pool, log);
  app.addHook('onReady', async () => indexer.wake());
  app.addHook('onClose', () => indexer.close());
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') indexer.wake();
  });

  readRoute(app, {
    endpoint: SEARCH_CALLS.search,
    summary: 'People by name, place, skill, credit or language, best first; paged',
    access: optionalAccount(),
    query: z.extend(searchQuery, pageQuery.shape),
    responses: { 200: z.array(searchRow) },
    handler: async ({ caller, db, request, query, now }) => {
      const after = await decodeCursor(place, query.cursor, { db, request });
      await indexBatch(db, CATCH_UP_PROFILES);
      const { rows, next } = await db.transaction(
        async (tx) => {
          // For common words the planner prefers a sequential scan, but the token columns are stored out of line (TOAST).
          await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
          const userId = caller?.userId ?? null;
          return searchProfiles(tx, { query, userId, after, limit: query.limit, now });
        },
        { accessMode: 'read only' },
      );
      return ok(rows, next ? { 'x-next-cursor': await encodeCursor({ db, request }, next) } : undefined);
    },
  });
}
