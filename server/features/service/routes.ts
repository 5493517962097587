import type { FastifyInstance } from 'fastify';
import { sql } from 'drizzle-orm';
import { CALLS } from '#contract/calls.ts';
import { serverConfig, type ServerConfig } from '#contract/records/sync.ts';
import { ok } from '#server/http/answer.ts';
import { everyone, readRoute } from '#server/http/route.ts';
import { said } from '#server/http/schemas.ts';

/** What the server says of itself. */
export function serviceRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: { method: 'GET', path: '/healthz' },
    summary: 'Whether the server and its database are ready',
    access: everyone(),
    answers: { 200: said },
    handler: async ({ db }) => {
      await db.execute(sql`select 1`);
      return ok({ message: 'Ready' });
    },
  });

  readRoute(app, {
    endpoint: CALLS.config,
    summary: 'What this server offers',
    access: everyone(),
    answers: { 200: serverConfig },
    handler: async () => {
      const offers: ServerConfig = {
        pusher: null,
        limits: { max_upload_mb: app.deps.config.maxUploadBytes / (1024 * 1024) },
        features: { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true },
      };
      return ok(offers);
    },
  });

  readRoute(app, {
    endpoint: CALLS.test,
    summary: 'Says hello, for the demo page',
    access: everyone(),
    answers: { 200: said },
    handler: async () => ok({ message: 'Callboard is here' }),
  });
}
