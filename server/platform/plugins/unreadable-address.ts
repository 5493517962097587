import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/platform/config.ts';
import { getClientAddress, isSecureRequest } from '#server/platform/live/web.ts';
import { toLoggableAddress } from './request-log.ts';
import { getBareHeaders } from './security-headers.ts';

/** Answers a request whose address cannot be read. No hook runs for it, so headers and log line are written here. */
export function refuseAddress(
  error: FastifyError,
  { raw, log }: Pick<FastifyRequest, 'raw' | 'log'>,
  reply: Pick<FastifyReply, 'raw'>,
  trustProxy: Config['trustProxy'],
): void {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  const message = isTooLong ? 'This page does not exist' : 'The address could not be read';
  const status = isTooLong ? 404 : 400;
  log.info({ route: '(unreadable)', status, ip: toLoggableAddress(getClientAddress(raw, trustProxy)) }, 'answered');
  reply.raw.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...getBareHeaders(isSecureRequest(raw, trustProxy)),
  });
  reply.raw.end(JSON.stringify({ message }));
}
