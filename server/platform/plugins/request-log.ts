import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '#server/platform/metrics/metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The pattern of the route that answered, such as `/chat/:connectionId`. The path itself may name a person or hold a secret. */
function getRouteLabel({ routeOptions }: FastifyRequest, reply: FastifyReply): string {
  const type = String(reply.getHeader('content-type') ?? '');
  // The app answers a navigation before the route of the same path does.
  if (type.startsWith('text/html')) return '(page)';
  if (routeOptions.url !== undefined) return routeOptions.url;
  return reply.statusCode < 400 ? '(file)' : '(none)';
}

/** The address of a client as it may be logged. Behind a proxy it comes from a header, so it may be any text. */
export const toLoggableAddress = (address: string): string | undefined => (isIP(address) === 0 ? undefined : address);

/**
 * Logs and counts each request, without what the client sent. `user` is who is signed in, `account` whom somebody signs in as, or tries to
 * without success.
 */
export function recordRequests(app: FastifyInstance, { httpSeconds }: Pick<Metrics, 'httpSeconds'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = getRouteLabel(request, reply);
    httpSeconds.observe({ method, route, status }, elapsedTime / 1000);
    const ip = toLoggableAddress(request.ip);
    const ms = Math.round(elapsedTime * 10) / 10;
    const account = request.accountId ?? undefined;
    request.log.info({ method, route, status, ms, ip, user: request.caller?.userId, account }, 'answered');
  });
}
