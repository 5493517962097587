import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getCookie } from '#server/platform/http/cookies.ts';
import { pageExpired } from '#server/platform/http/errors.ts';

const NAME = 'XSRF-TOKEN';

/** Undoes percent-encoding as clients do before they send the cookie back; broken encoding stays as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * A signed-in caller's is always the same: a reopened app makes several calls at once, and were each given a cookie of its
 * own, a write could leave with the header of one and the cookie of another.
 */
function freshValue({ headers }: FastifyRequest): string {
  const bytes = headers.authorization
    ? createHash('sha256').update(`${NAME} ${headers.authorization}`).digest().subarray(0, 18)
    : randomBytes(18);
  return bytes.toString('base64url');
}

/**
 * No cookie signs anyone in here, so nothing hangs on this: servers of the same contract with cookie sessions need it, and
 * clients are written for both. The cookie is set where it is missing; a header that differs from it is refused.
 */
export function guardForms(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const cookie = getCookie(request, NAME);
    if (cookie === undefined) {
      if (request.headers['x-requested-with'] === undefined && !request.headers.accept?.includes('text/html')) return;
      const secure = request.protocol === 'https' ? '; Secure' : '';
      void reply.header('set-cookie', `${NAME}=${freshValue(request)}; Path=/; SameSite=Lax${secure}`);
      return;
    }
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
    const header = request.headers['x-xsrf-token'];
    if (typeof header === 'string' && decoded(header) !== decoded(cookie)) throw pageExpired();
  });
}
