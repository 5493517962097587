import type { FastifyInstance } from 'fastify';
import { unavailable } from '#server/platform/http/errors.ts';

/** What is still under way after this long is cut: uploads go on at their offset, writes have their keys. */
const DRAIN_MS = 9000;

/**
 * While the server closes, it answers the requests under way and refuses new ones with 503, also on connections that were
 * kept open. Each answer closes its connection.
 */
export function drainWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  let patience: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isClosing = true;
    patience = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  });
  app.addHook('onClose', async () => clearTimeout(patience));
  app.addHook('onRequest', async () => {
    if (isClosing) throw unavailable();
  });
  // A connection that were kept alive would hold the server up for more than a minute.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
}
