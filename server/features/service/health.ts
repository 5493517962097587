import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { publicAccess, readRoute } from '#server/platform/http/route.ts';
import { ok } from '#server/platform/http/response.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';

const required = z.enum(['ok', 'failed']);
const readiness = z.object({
  message: z.string(),
  status: z.enum(['ready', 'not ready']),
  checks: z.object({
    database: required,
    migrations: required,
    storage: required,
    draining: z.enum(['ok', 'draining']),
    clock: z.enum(['ok', 'off', 'unknown']),
    jobs: z.enum(['ok', 'off', 'unknown']),
    mail: z.enum(['ok', 'waiting', 'unknown']),
  }),
});
const NEVER_STORED = { 'cache-control': 'no-store' };

/**
 * Health, for proxies and supervisors. They have no rate limit: a proxy shares its address with everybody behind it, and an answer
 * of 429 would take the server away from them.
 */
export function healthRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: { method: 'GET', path: '/livez' },
    summary: 'Whether this process can answer at all',
    access: publicAccess(),
    isUnlimited: true,
    responses: { 200: messageOnly },
    handler: async () => ok({ message: 'Alive' }, NEVER_STORED),
  });

  for (const path of ['/readyz', '/healthz']) {
    readRoute(app, {
      endpoint: { method: 'GET', path },
      summary:
        path === '/readyz' ? 'Whether this process should get requests, and what is missing' : 'The same as /readyz',
      access: publicAccess(),
      isUnlimited: true,
      responses: { 200: readiness, 503: readiness },
      handler: async () => {
        const { isReady, checks } = await app.deps.health.check();
        const body = isReady
          ? { message: 'Ready', status: 'ready', checks }
          : { message: 'Not ready', status: 'not ready', checks };
        return { status: isReady ? 200 : 503, body, headers: NEVER_STORED };
      },
    });
  }
}
