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

/** Logs and counts each request, without what the client sent. */
export function recordRequests(app: FastifyInstance, { httpSeconds }: Pick<Metrics, 'httpSeconds'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = getRouteLabel(request, reply);
    httpSeconds.observe({ method, route, status }, elapsedTime / 1000);
    // Behind a proxy, the address is what a header says.
    const ip = isIP(request.ip) === 0 ? undefined : request.ip;
    const ms = Math.round(elapsedTime * 10) / 10;
    request.log.info({ method, route, status, ms, ip, user: request.caller?.userId }, 'answered');
  });
}
