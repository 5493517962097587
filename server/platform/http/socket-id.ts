import type { FastifyRequest } from 'fastify';
import { SOCKET_ID } from '#server/platform/live/channels.ts';

/**
 * Reads the id of the live socket of the calling device, which needs no event about its own write. An outdated or malformed id is
 * ignored, never refused.
 */
export function readSocketId(request: FastifyRequest): string | undefined {
  const header = request.headers['x-socket-id'];
  return typeof header === 'string' && SOCKET_ID.test(header) ? header : undefined;
}
