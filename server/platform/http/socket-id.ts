import type { FastifyRequest } from 'fastify';
import { SOCKET_ID } from '#server/platform/live/channels.ts';

/**
 * The live socket of the device that asks, for it need not be told what it did. It may be one that is long gone, or nonsense: that is
 * no reason to refuse anything.
 */
export function readSocketId(request: FastifyRequest): string | undefined {
  const told = request.headers['x-socket-id'];
  return typeof told === 'string' && SOCKET_ID.test(told) ? told : undefined;
}
