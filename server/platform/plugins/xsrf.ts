import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getCookie } from '#server/platform/http/cookies.ts';
import { pageExpired } from '#server/platform/http/errors.ts';

const COOKIE_NAME = 'XSRF-TOKEN';

/** Decodes percent-encoding, as clients do before they send the cookie back. Leaves malformed encoding as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Creates a cookie value. It is always the same for a signed-in caller: a reopened app makes several calls at once, and if each set its
 * own cookie, a write could carry the header of one and the cookie of another.
 */
function createValue({ headers }: FastifyRequest): string {
  const bytes = headers.authorization
    ? createHash('sha256').update(`${COOKIE_NAME} ${headers.authorization}`).digest().subarray(0, 18)
    : randomBytes(18);
  return bytes.toString('base64url');
}

/**
 * CSRF protection by double-submit cookie. This server does not need it, because no cookie signs anyone in. Servers of the same contract
 * with cookie sessions do, and clients support both. Sets a missing cookie, and refuses a header that differs from the cookie.
 */
export function guardForms(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const cookie = getCookie(request, COOKIE_NAME);
    if (cookie === undefined) {
      if (request.headers['x-requested-with'] === undefined && !request.headers.accept?.includes('text/html')) return;
      const secure = request.protocol === 'https' ? '; Secure' : '';
      void reply.header('set-cookie', `${COOKIE_NAME}=${createValue(request)}; Path=/; SameSite=Lax${secure}`);
      return;
    }
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
    const header = request.headers['x-xsrf-token'];
    if (typeof header === 'string' && decode(header) !== decode(cookie)) throw pageExpired();
  });
}
