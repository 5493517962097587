import type { FastifyInstance } from 'fastify';

/** What is still under way after this long is cut: uploads go on at their offset, writes have their keys. */
const DRAIN_MS = 9000;

/** When the server closes, answers what is under way and lets go of each connection with its answer. */
export function drainWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  let patience: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isClosing = true;
    patience = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  });
  app.addHook('onClose', async () => clearTimeout(patience));
  // A connection that were kept alive would hold the server up for more than a minute.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) void reply.header('connection', 'close');
  });
}
