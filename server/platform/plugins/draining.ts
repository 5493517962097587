import type { FastifyInstance } from 'fastify';
import type { Health } from '#server/platform/health/health.ts';
import { unavailable } from '#server/platform/http/errors.ts';

/** Requests still running after this long are cut off. Uploads resume at their offset, and writes repeat under their keys. */
const DRAIN_MS = 9000;
/** They say about the process itself what is true at this moment. */
const HEALTH_ROUTES = new Set(['/livez', '/readyz', '/healthz']);

/**
 * While the server closes, it finishes running requests and refuses new ones with 503, also on keep-alive connections. Each response
 * closes its connection. Only the health of the process is still told.
 */
export function drainWhenClosing(app: FastifyInstance, health: Health): void {
  let isClosing = false;
  let drainTimer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isClosing = true;
    health.drain();
    drainTimer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  });
  app.addHook('onClose', async () => clearTimeout(drainTimer));
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (isClosing && !HEALTH_ROUTES.has(routeOptions.url ?? '')) throw unavailable();
  });
  // A keep-alive connection would delay the shutdown by more than a minute.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
}
