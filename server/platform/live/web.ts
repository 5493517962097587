import proxyAddr from '@fastify/proxy-addr';
import type { IncomingMessage } from 'node:http';
import type { Config } from '#server/platform/config.ts';

/** Client address of a request that does not pass through Fastify, computed the same way. */
export function getClientAddress(request: IncomingMessage, trustProxy: Config['trustProxy']): string {
  if (trustProxy === false) return request.socket.remoteAddress ?? '';
  return proxyAddr(request, trustProxy === true ? () => true : trustProxy);
}

/** Whether the client of a request that does not pass through Fastify uses TLS, by what a trusted proxy says. */
export function isSecureRequest(request: IncomingMessage, trustProxy: Config['trustProxy']): boolean {
  if (trustProxy === false) return false;
  const isProxy = trustProxy === true || proxyAddr.compile(trustProxy)(request.socket.remoteAddress ?? '', 0);
  const { 'x-forwarded-proto': protocol } = request.headers;
  return isProxy && typeof protocol === 'string' && protocol.split(',').at(-1)?.trim() === 'https';
}

/** Whether a page of this origin may open sockets: the app itself, under any host, and the allowed origins. */
export function isAllowedOrigin(
  origin: string,
  request: IncomingMessage,
  { allowedOrigins, publicUrl, trustProxy }: Pick<Config, 'allowedOrigins' | 'publicUrl' | 'trustProxy'>,
): boolean {
  if (origin === publicUrl || allowedOrigins.includes(origin)) return true;
  const forwarded = trustProxy === false ? undefined : request.headers['x-forwarded-host'];
  const host = typeof forwarded === 'string' ? forwarded : request.headers.host;
  return URL.canParse(origin) && new URL(origin).host === host;
}
