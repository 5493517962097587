import type { FastifyInstance } from 'fastify';
import { unavailable } from '#server/platform/http/errors.ts';

/** Requests still running after this long are cut off. Uploads resume at their offset, and writes repeat under their keys. */
const DRAIN_MS = 9000;

/**
 * While the server closes, it finishes running requests and refuses new ones with 503, also on keep-alive connections. Each response
 * closes its connection.
 */
export function drainWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  let drainTimer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isClosing = true;
    drainTimer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  });
  app.addHook('onClose', async () => clearTimeout(drainTimer));
  app.addHook('onRequest', async () => {
    if (isClosing) throw unavailable();
  });
  // A keep-alive connection would delay the shutdown by more than a minute.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
}
